// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Programs that run a text of their command line as code, and where in it that text stands.

export type Interpreter = {
  program: RegExp;
  /** Options whose next element is code; with `late`, the first operand after them is. */
  code: RegExp;
  late?: boolean;
  /** Nothing after the code is an option of the interpreter. */
  ends?: boolean;
  /** Options whose next element is a plain value. */
  value?: RegExp;
  /** Options whose next element is a file that holds the script. */
  file?: RegExp;
  /** Options that hold code in their own element; any option, if absent. */
  glued?: RegExp;
  /**
   * What the operands are. "file": the first is a script's file, all after it is the script's own.
   * "text": the first is code, unless an option brought the script. "line": all are words of a line for
   * a shell. "remote": all after the first are.
   */
  operands: "file" | "text" | "line" | "remote";
  /** Operands that may stand before further options. */
  passes?: { words: RegExp; most: number };
  /** Its name is a common word: it counts only where a program's name is expected. */
  direct?: boolean;
};

const never = /^(?!)/;

export const interpreters: readonly Interpreter[] = [
  {
    program: /^(?:ba|da|z|k|mk|pdk|a|ya|fi|c|tc|pw|xon)?sh$|^nu$/,
    code: /^-[A-Za-z]*c[A-Za-z]*$|^-C$|^--(?:command|commands|init-command)$|^-[Cc]ommand$/,
    late: true,
    value: /^[-+][A-Za-z]*[oO]$|^--(?:rcfile|init-file)$/,
    operands: "file",
  },
  {
    program: /^(?:i?python|pypy)[\d.]*$/,
    code: /^-[A-Za-z]*c$/,
    ends: true,
    value: /^-[A-Za-z]*[WX]$|^--check-hash-based-pycs$/,
    operands: "file",
  },
  { program: /^perl[\d.]*$/, code: /^-[A-Za-z]*[eE]$/, value: /^-I$/, operands: "file" },
  { program: /^ruby[\d.]*$/, code: /^-[A-Za-z]*e$/, value: /^-[rICE]$/, operands: "file" },
  { program: /^lua(?:jit)?[\d.]*$/, code: /^-e$/, value: /^-[lj]$/, operands: "file" },
  {
    program: /^(?:node|nodejs|deno|bun)$/,
    code: /^-[ep]+$|^--(?:eval|print)$|^eval$/,
    value: /^-[rC]$|^--(?:require|import|loader|conditions)$/,
    operands: "file",
  },
  {
    program: /^php[\d.]*$/,
    code: /^-[rBRE]$|^--(?:run|process-begin|process-code|process-end)$/,
    value: /^-[dcz]$/,
    operands: "file",
  },
  {
    program: /^(?:[gmn]|original-)?awk$/,
    code: /^-e$|^--source$/,
    value: /^-[Fvlio]$|^--(?:assign|field-separator|include|load)$/,
    file: /^-[fE]$|^--(?:file|exec)$/,
    glued: /^-e|^--source/,
    operands: "text",
  },
  {
    program: /^g?sed$/,
    code: /^-[A-Za-z]*e$|^--expression$/,
    value: /^-l$|^--line-length$/,
    file: /^-[A-Za-z]*f$|^--file$/,
    operands: "text",
  },
  {
    program: /^(?:Rscript|R|julia|emacs|nix-shell)$/,
    code: /^-[eE]$|^--?eval$|^--(?:run|command)$/,
    glued: /^-[eE]|^--?eval|^--(?:run|command)/,
    operands: "file",
    passes: { words: /^[^./]+$/, most: 99 },
    direct: true,
  },
  {
    program: /^(?:su|runuser|script|flock|sg|expect)$/,
    code: /^-[A-Za-z]*c$|^--(?:command|session-command)$/,
    value: /^-[ugGswEIOBTm]$/,
    glued: /^-[A-Za-z]*c|^--(?:command|session-command)/,
    operands: "file",
    passes: { words: /./, most: 1 },
    direct: true,
  },
  {
    program: /^env$/,
    code: /^-[A-Za-z]*S$|^--split-string$/,
    value: /^-[uC]$/,
    glued: /^-[A-Za-z]*S|^--split-string/,
    operands: "file",
    passes: { words: /^\w+=/, most: 99 },
    direct: true,
  },
  {
    program: /^(?:watch|parallel)$/,
    code: never,
    value: /^-[nj]$/,
    glued: never,
    operands: "line",
    direct: true,
  },
  {
    program: /^ssh$/,
    code: never,
    value: /^-[A-Za-z]*[BbcDEeFIiJLlmOoPpQRSWw]$/,
    glued: never,
    operands: "remote",
    direct: true,
  },
];

/** Programs that start another one, named somewhere in their arguments. */
export const launchers =
  /^(?:env|nice|ionice|timeout|time|sudo|doas|nohup|setsid|stdbuf|chronic|xvfb-run|systemd-run|systemd-inhibit|sshpass|flock|xargs|find|fd|busybox)$/;

/** Programs that start none: for them a word such as "awk" is only something to look for. */
export const readers =
  /^(?:[efz]?grep|rg|ag|ack|man|info|tldr|cheat|apropos|whatis|which|whereis|locate|echo|printf|cat|ls|head|tail|wc|diff|file|stat|ps|pgrep|pidof|apt|apt-cache|dpkg|rpm|dnf|pacman|slackpkg|rsync)$/;
