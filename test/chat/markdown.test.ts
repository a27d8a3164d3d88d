// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Markdown in a terminal: what is drawn, that it fits, and that a stream gives what the whole gives.
import assert from "node:assert/strict";
import { test } from "node:test";
import { widest } from "../../src/chat/blocks.ts";
import { type Line, paint } from "../../src/chat/line.ts";
import { MarkdownStream, renderMarkdown } from "../../src/chat/markdown.ts";

const text = (lines: Line[]) => lines.map((line) => paint(line, "none").trimEnd()).join("\n");

const sample = `# Weather in *Rome*

A paragraph with **bold**, \`code\` and a [link](https://example.org/a).
A second line of it.

Here are three:
- one
- two with a long tail that must be wrapped somewhere
  - nested **deep**
- [x] done
- [ ] not done

1. first

2. second

   with a paragraph

| day | high | note |
|-----|-----:|:----:|
| Mon | 12 | cloudy with a chance of something long |
| 日曜日 | 7 | 晴れのち曇り |

> quoted
> - list in it

\`\`\`ts
const a = 1;

    const deep = "x";
# not a heading
\`\`\`

text
***
Last words &amp; entities &lt;b&gt;.
`;

test("every kind of block is drawn", () => {
  assert.equal(
    text(renderMarkdown(sample, 60)),
    `Weather in Rome

A paragraph with bold, code and a link
(https://example.org/a).
A second line of it.

Here are three:
• one
• two with a long tail that must be wrapped somewhere
  • nested deep
• [x] done
• [ ] not done

1. first

2. second

   with a paragraph

day    │ high │                  note
───────┼──────┼───────────────────────────────────────
Mon    │   12 │ cloudy with a chance of something long
日曜日 │    7 │              晴れのち曇り

│ quoted
│ • list in it

  const a = 1;

      const deep = "x";
  # not a heading

text

────────────────────────────────────────

Last words & entities <b>.`,
  );
});

test("no line is wider than the terminal, however narrow", () => {
  for (const columns of [8, 12, 17, 23, 40, 79, 200]) {
    const lines = renderMarkdown(sample, columns);
    assert.ok(widest(lines) <= columns, `${widest(lines)} > ${columns}\n${text(lines)}`);
  }
});

test("a stream cut anywhere gives the lines of the whole, and none is given twice", () => {
  const whole = text(renderMarkdown(sample, 50));
  for (let step = 1; step <= 40; step++) {
    const stream = new MarkdownStream();
    const lines: Line[] = [];
    for (let at = 0; at < sample.length; at += step) {
      stream.push(sample.slice(at, at + step));
      lines.push(...stream.finished(50));
      // What is open and what was given out are together never less than what came.
      if (step % 13 === 0) stream.open(50);
    }
    lines.push(...stream.end(50));
    assert.equal(text(lines), whole, `step ${step}`);
  }
});

test("what is finished and what is open are together the whole so far", () => {
  const stream = new MarkdownStream();
  const given: Line[] = [];
  for (const character of sample) {
    stream.push(character);
    given.push(...stream.finished(50));
  }
  assert.ok(given.length > 20);
  assert.equal(text([...given, ...stream.open(50)]), text(renderMarkdown(sample, 50)));
});

test("half a line does not finish the block before it", () => {
  const stream = new MarkdownStream();
  stream.push("one\n#");
  assert.deepEqual(stream.finished(40), []);
  stream.push("two\nthree\n");
  assert.deepEqual(stream.finished(40), []);
  assert.equal(text(stream.end(40)), "one\n#two\nthree");
});

test("an open code fence is drawn as code before it is closed", () => {
  const stream = new MarkdownStream();
  stream.push("```\n**a**\nb");
  assert.equal(text(stream.open(40)), "  **a**\n  b");
});

test("a table with more columns than fit is drawn as fields", () => {
  const lines = renderMarkdown("|a|b|c|d|e|\n|-|-|-|-|-|\n|1|2|3|4|5|\n|6|7|8|9|0|\n", 20);
  assert.equal(text(lines), "a: 1\nb: 2\nc: 3\nd: 4\ne: 5\n────────\na: 6\nb: 7\nc: 8\nd: 9\ne: 0");
});

test("a wide table wraps its widest cells", () => {
  const lines = renderMarkdown(`|k|v|\n|-|-|\n|x|${"word ".repeat(12)}|\n`, 30);
  assert.ok(widest(lines) <= 30);
  assert.equal(text(lines).split("\n")[2], "x │ word word word word word");
});

test("a long word and a long address are cut where the line ends", () => {
  assert.equal(
    text(renderMarkdown(`${"a".repeat(25)} b`, 12)),
    `${"a".repeat(12)}\n${"a".repeat(12)}\na b`,
  );
});

test("wide characters never stand half over the edge", () => {
  assert.equal(text(renderMarkdown("日本語のテスト。です", 13)), "日本語のテス\nト。です");
});

test("a character reference cannot bring a control byte in", () => {
  const lines = renderMarkdown("a &#27;[31m &#x9b;0m &#8238;b <b>&#7;</b>", 60);
  const painted = lines.map((line) => paint(line, "none")).join("\n");
  assert.match(painted, /^[\x20-\x7e]*$/);
});

test("a link shows where it leads unless its words say so", () => {
  assert.equal(
    text(renderMarkdown("[bank](http://evil.example) <http://a.example> me@b.example", 80)),
    "bank (http://evil.example) http://a.example me@b.example",
  );
});

test("styles are painted with colours, without them, or not at all", () => {
  const [line] = renderMarkdown("**b** `c`", 40);
  assert.ok(line);
  assert.equal(paint(line, "colour"), "\x1b[1mb\x1b[0m \x1b[36mc\x1b[0m");
  assert.equal(paint(line, "plain"), "\x1b[1mb\x1b[0m c");
  assert.equal(paint(line, "none"), "b c");
});
