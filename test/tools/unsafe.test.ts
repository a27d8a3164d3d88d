// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Commands that would run a value as code, and commands that only look so.
import assert from "node:assert/strict";
import { test } from "node:test";
import { unsafe } from "../../src/tools/unsafe.ts";

const reason = (command: readonly string[]) => unsafe(command, ["x"]);

const code: readonly (readonly string[])[] = [
  ["sh", "-c", "echo {x}"],
  ["sh", "-c", "{x}"],
  ["/bin/sh", "-c", "echo '{x}'"],
  ["bash", "-lc", "echo {x}"],
  ["bash", "-c", "-l", "echo {x}"],
  ["bash", "-c", "--", "echo {x}"],
  ["bash", "-euo", "pipefail", "-c", "echo {x}"],
  ["bash", "--norc", "--rcfile", "f", "-c", "echo {x}"],
  ["bash", "--rcfile={x}", "-c", "echo"],
  ["zsh", "-o", "err_exit", "-c", "echo {x}"],
  ["fish", "--command=echo {x}"],
  ["fish", "-C", "echo {x}", "-c", "echo"],
  ["dash", "-c", 'cat "$1"; echo {x}', "dash", "{x}"],
  ["env", "sh", "-c", "echo {x}"],
  ["env", "-i", "A=1", "sh", "-c", "echo {x}"],
  ["env", "-S", "ls {x}"],
  ["env", "--split-string=ls {x}"],
  ["timeout", "5", "sh", "-c", "echo {x}"],
  ["nice", "-n", "5", "sudo", "-u", "me", "sh", "-c", "echo {x}"],
  ["find", ".", "-exec", "sh", "-c", "echo {x}", ";"],
  ["xargs", "-I", "%", "sh", "-c", "echo {x} %"],
  ["docker", "exec", "box", "sh", "-c", "echo {x}"],
  ["busybox", "sh", "-c", "echo {x}"],
  ["busybox", "awk", "BEGIN {print {x}}"],
  ["my-runner", "bash", "-c", "echo {x}"],
  ["python3", "-c", "print('{x}')"],
  ["python3.13", "-Ic", "print('{x}')"],
  ["python", "-W", "error", "-c", "print({x})"],
  ["python3", "-cprint({x})"],
  ["perl", "-e", "print '{x}'"],
  ["perl", "-lane", "print {x}"],
  ["perl", "-E", "say 1", "-e", "print {x}"],
  ["perl", "-I", "lib", "-e", "print {x}"],
  ["ruby", "-rjson", "-e", "puts {x}"],
  ["node", "-e", "console.log('{x}')"],
  ["node", "-pe", "{x}"],
  ["node", "--eval=console.log({x})"],
  ["node", "--eval", "console.log({x})"],
  ["node", "-r", "x.js", "-p", "{x}"],
  ["deno", "eval", "console.log({x})"],
  ["bun", "-e", "{x}"],
  ["php", "-r", "echo {x};"],
  ["lua", "-e", "print({x})"],
  ["awk", '$1 == "{x}"'],
  ["awk", "-F", ":", '$1 == "{x}"', "/etc/passwd"],
  ["gawk", "--source={x}", "file"],
  ["gawk", "-e", "BEGIN {print {x}}"],
  ["sed", "s/{x}/y/", "file"],
  ["sed", "-n", "-e", "p", "-e", "s/a/{x}/", "file"],
  ["sed", "--expression=s/{x}/y/", "file"],
  ["sed", "-ne", "/{x}/p", "file"],
  ["su", "me", "-c", "echo {x}"],
  ["script", "-qc", "echo {x}", "/dev/null"],
  ["flock", "/tmp/lock", "-c", "echo {x}"],
  ["watch", "-n", "2", "df {x}"],
  ["parallel", "echo {x}", ":::", "1"],
  ["ssh", "host", "df {x}"],
  ["ssh", "-p", "22", "-i", "key", "host", "--", "df", "{x}"],
  ["sshpass", "-f", "file", "ssh", "host", "df", "{x}"],
  ["emacs", "--batch", "--eval", "(message {x})"],
  ["Rscript", "-e", "{x}"],
  ["nix-shell", "-p", "jq", "--run", "jq {x}"],
  ["{x}", "a"],
  ["./bin/{x}"],
];

for (const command of code) {
  test(`a value would be run as code: ${command.join(" ")}`, () => {
    const why = reason(command);
    assert.notEqual(why, null);
    if (!command[0]?.includes("{x}"))
      assert.match(why ?? "", /^a value of \{x\} would be run as code by /);
  });
}

const harmless: readonly (readonly string[])[] = [
  ["sh", "-c", 'echo "$1"', "sh", "{x}"],
  ["bash", "-c", 'grep -c "$1" file', "bash", "{x}", "-c", "{x}"],
  ["sh", "./script.sh", "{x}"],
  ["sh", "./script.sh", "-c", "{x}"],
  ["python3", "script.py", "-c", "{x}"],
  ["python3", "-m", "json.tool", "{x}"],
  ["python3", "-c", "import sys; print(sys.argv[1])", "{x}"],
  ["python3", "-c", "import sys; print(sys.argv[1])", "--word={x}"],
  ["perl", "-e", "print $ARGV[0]", "--", "--word={x}"],
  ["perl", "-ne", "print", "{x}"],
  ["node", "script.js", "-e", "{x}"],
  ["node", "-p", "process.argv[1]", "{x}"],
  ["php", "script.php", "-r", "{x}"],
  ["awk", "-v", "word={x}", "$1 == word", "file"],
  ["awk", "-vword={x}", "$1 == word", "file"],
  ["awk", "-F{x}", "{print $1}", "file"],
  ["awk", "-f", "program.awk", "{x}"],
  ["awk", "{print $1}", "{x}"],
  ["sed", "-n", "5p", "{x}"],
  ["sed", "-e", "s/a/b/", "-e", "s/c/d/", "{x}"],
  ["sed", "-f", "script.sed", "{x}"],
  ["grep", "sh", "-c", "{x}"],
  ["grep", "-c", "{x}", "/etc/passwd"],
  ["rg", "awk", "{x}"],
  ["man", "awk", "{x}"],
  ["env", "LC_ALL=C", "curl", "-sS", "{x}"],
  ["env", "-u", "HOME", "date", "-d", "{x}"],
  ["flock", "/tmp/lock", "grep", "-c", "{x}", "file"],
  ["gh", "run", "watch", "{x}"],
  ["kubectl", "get", "node", "{x}"],
  ["rsync", "-e", "ssh", "{x}", "host:"],
  ["ssh", "{x}", "uptime"],
  ["ssh", "-p", "{x}", "host", "uptime"],
  ["find", "{x}", "-name", "*.sh"],
  ["find", ".", "-name", "{x}", "-exec", "cat", "{}", ";"],
  ["cat", "/etc/bash", "-c", "{x}"],
  ["notes", "search", "bash", "{x}"],
  ["sh", "-c", "echo {y}"],
  ["qalc", "-t", "--", "{x}"],
  ["R", "--no-save", "script", "{x}"],
];

for (const command of harmless) {
  test(`a value is only an argument: ${command.join(" ")}`, () => {
    assert.equal(reason(command), null);
  });
}

test("the message shows the safe form, which is then taken", () => {
  assert.equal(
    reason(["bash", "-c", "echo {x}"]),
    'a value of {x} would be run as code by bash; hand it over as an argument instead: ["bash", "-c", "… \\"$1\\" …", "bash", "{x}"]',
  );
  assert.match(reason(["python3", "-c", "print({x})"]) ?? "", /sys\.argv\[1\] …", "\{x\}"\]$/);
  assert.match(reason(["awk", "{x}"]) ?? "", /"-v", "value=\{x\}"/);
  assert.match(reason(["perl", "-e", "{x}"]) ?? "", /put the script into a file/);
});
