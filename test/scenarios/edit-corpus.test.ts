// update_file, case by case: the file before, the edit, and the exact file after it. A refused edit leaves every byte.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createFileTools, type FileTools } from "../support/file-tools.ts";

let project: FileTools;
let cases = 0;

beforeAll(async () => {
  project = await createFileTools();
});
afterAll(async () => {
  await project[Symbol.asyncDispose]();
});

type Text = string | Buffer;

interface More {
  readonly all?: boolean;
  /** The file is not read before the edit. */
  readonly unread?: boolean;
  /** What the answer says. */
  readonly says?: RegExp;
}

function edit(
  name: string,
  before: Text,
  oldText: string,
  newText: string,
  after: Text,
  more: More = {},
): void {
  test(name, async () => {
    const { file, outcome } = await apply(before, oldText, newText, more);
    expect(outcome.text).not.toMatch(/^old_text|^Nothing/);
    expect(outcome.failed).toBe(false);
    expect((await project.bytes(file)).toString("latin1")).toBe(Buffer.from(after).toString("latin1"));
    if (more.says) expect(outcome.text).toMatch(more.says);
  });
}

function refused(
  name: string,
  before: Text,
  oldText: string,
  newText: string,
  says: RegExp,
  more: More = {},
): void {
  test(name, async () => {
    const { file, outcome } = await apply(before, oldText, newText, more);
    expect(outcome.text).toMatch(says);
    expect(outcome.failed).toBe(true);
    expect((await project.bytes(file)).equals(Buffer.from(before))).toBe(true);
  });
}

async function apply(before: Text, oldText: string, newText: string, more: More) {
  const file = `case-${++cases}.txt`;
  await project.put(file, before);
  if (!more.unread) await project.read({ filepath: file });
  const args = { filepath: file, old_text: oldText, new_text: newText, replace_all: more.all ?? false };
  return { file, outcome: await project.update(args) };
}

const latin1 = (text: string) => Buffer.from(text, "latin1");
const BOM = "\uFEFF";

describe("exact text", () => {
  edit("a word", "one two three\n", "two", "2", "one 2 three\n");
  edit("at the very beginning", "abc\ndef\n", "abc", "x", "x\ndef\n");
  edit("at the very end", "abc\ndef", "def", "x", "abc\nx");
  edit("the whole file", "abc\n", "abc\n", "xyz\n", "xyz\n");
  edit("one line by many", "a\nb\nc\n", "b\n", "1\n2\n3\n", "a\n1\n2\n3\nc\n");
  edit("many lines by one", "a\nb\nc\nd\n", "b\nc\n", "x\n", "a\nx\nd\n");
  edit("deletes a line", "a\nb\nc\n", "b\n", "", "a\nc\n");
  edit("deletes a word", "keep drop keep", " drop", "", "keep keep");
  edit("joins two lines", "a\nb\n", "a\nb", "a b", "a b\n");
  edit(
    "across lines, from middle to middle",
    "one two\nthree four\n",
    "two\nthree",
    "2\n3",
    "one 2\n3 four\n",
  );
  edit("letters beyond ASCII", "grüße, Welt 😀\n", "Welt 😀", "世界 🌍", "grüße, 世界 🌍\n");
  edit(
    "characters that mean something in patterns",
    "a.*(b)[c]$1\\n\n",
    "a.*(b)[c]$1\\n",
    "$& $1 \\1",
    "$& $1 \\1\n",
  );
  edit("only spaces around it change", "  a  \n", "  a  ", "a", "a\n");
  edit("adds at the end without a final newline", "a\nb", "b", "b\nc", "a\nb\nc");
  edit("adds a final newline when asked", "a\nb", "a\nb", "a\nb\n", "a\nb\n");
  edit("takes the final newline away when asked", "a\nb\n", "b\n", "b", "a\nb");
  edit("is found again after itself grew", "x = 1\n", "x = 1", "x = 1; x = 1", "x = 1; x = 1\n");
  edit("a file of one character", "a", "a", "b", "b");
  edit("blank text is only found exactly", "a\n\n\n\nb\n", "\n\n\n\n", "\n", "a\nb\n");
  edit(
    "without reading it first, when it is there exactly",
    "secret = 1\n",
    "secret = 1",
    "secret = 2",
    "secret = 2\n",
    {
      unread: true,
    },
  );
  edit("says where", "a\nb\nc\n", "b", "x", "a\nx\nc\n", {
    says: /^Updated case-\d+\.txt at 1 place\.\n\n--- [\s\S]*\n-b\n\+x/,
  });
  edit(
    "the exact place wins over one with other indentation",
    "\tgo()\ngo()\t\n  go(1)\n",
    "  go(1)",
    "  go(2)",
    "\tgo()\ngo()\t\n  go(2)\n",
  );
});

describe("replace_all", () => {
  edit("every place", "a b a b a", "a", "x", "x b x b x", { all: true, says: /at 3 places/ });
  edit("one place is fine too", "a b", "a", "x", "x b", { all: true, says: /at 1 place\./ });
  edit("places side by side", "aaaa", "aa", "b", "bb", { all: true });
  edit("text that contains itself", "foo", "o", "oo", "foooo", { all: true });
  edit("lines at either end", "x\ny\nx", "x", "z", "z\ny\nz", { all: true });
  edit("with CRLF", "a\r\nb\r\na\r\nb\r\n", "a\nb", "c\nd", "c\r\nd\r\nc\r\nd\r\n", { all: true });
  edit("each place with its own line ends", "a\nb\r\na\r\nb\n", "a\n", "x\ny\n", "x\ny\nb\r\nx\r\ny\r\nb\n", {
    all: true,
  });
  edit(
    "each place with its own indentation",
    "  if a:\n    go\n      if a:\n        go\n",
    "if a:\n  go ",
    "if a:\n  stop",
    "  if a:\n    stop\n      if a:\n        stop\n",
    { all: true },
  );
  refused("nothing to find", "a\n", "b", "c", /not in case/, { all: true });
});

describe("line ends, BOM, final newline", () => {
  edit("CRLF stays, plain newlines in the edit", "a\r\nb\r\nc\r\n", "a\nb", "x\ny", "x\r\ny\r\nc\r\n");
  edit("CRLF stays for lines that are added", "a\r\nb\r\n", "a", "a\nnew", "a\r\nnew\r\nb\r\n");
  edit("CRLF in the edit is not doubled", "a\r\nb\r\n", "a\r\nb\r\n", "x\r\ny\r\n", "x\r\ny\r\n");
  edit("CRLF in the edit of a plain file becomes plain", "a\nb\n", "a\r\nb", "x\r\ny", "x\ny\n");
  edit("CRLF on the last line without an end", "a\r\nb", "b", "b\nc", "a\r\nb\r\nc");
  edit("a newline in front of CRLF text", "a\r\nb\r\nc\r\n", "\nb", "\nx", "a\r\nx\r\nc\r\n");
  edit("a newline behind CRLF text", "a\r\nb\r\nc\r\n", "b\n", "", "a\r\nc\r\n");
  edit("mixed: a CRLF region stays CRLF", "a\r\nb\r\nc\nd\n", "a\nb\n", "x\ny\n", "x\r\ny\r\nc\nd\n");
  edit("mixed: a plain region stays plain", "a\r\nb\r\nc\nd\n", "c\nd", "x\ny", "a\r\nb\r\nx\ny\n");
  edit(
    "mixed within the region: untouched lines keep theirs",
    "a\r\nb\nc\r\nd\n",
    "a\nb\nc\nd\n",
    "a\nb\nX\nd\n",
    "a\r\nb\nX\r\nd\n",
  );
  edit("a lone carriage return is a character", "a\rb\nc\n", "c", "x", "a\rb\nx\n");
  edit("BOM stays", `${BOM}a\nb\n`, "a", "x", `${BOM}x\nb\n`);
  edit("BOM copied into the edit is not doubled", `${BOM}a\nb\n`, `${BOM}a`, `${BOM}x`, `${BOM}x\nb\n`);
  edit("BOM and CRLF", `${BOM}a\r\nb\r\n`, "a\nb\n", "x\n", `${BOM}x\r\n`);
  edit("a missing final newline stays missing", "a\nb", "a", "x", "x\nb");
  edit("old text with a newline the last line doesn't have", "a\nb", "b\n", "c\n", "a\nc");
  edit("several lines with a newline the last doesn't have", "a\nb", "a\nb\n", "c\nd\n", "c\nd");
  edit(
    "UTF-16 little endian",
    Buffer.from(`${BOM}grün\r\nrot\r\n`, "utf16le"),
    "grün",
    "blau",
    Buffer.from(`${BOM}blau\r\nrot\r\n`, "utf16le"),
  );
  edit(
    "UTF-16 big endian",
    Buffer.from(`${BOM}a\nb\n`, "utf16le").swap16(),
    "b",
    "c😀",
    Buffer.from(`${BOM}a\nc😀\n`, "utf16le").swap16(),
  );
  refused("broken UTF-16", Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x61, 0x00]), "a", "b", /isn't valid UTF-16/);
});

describe("bytes that aren't UTF-8", () => {
  edit("stay before and behind", latin1("caf\xe9 X na\xefve\n"), "X", "Y", latin1("caf\xe9 Y na\xefve\n"), {
    says: /Updated/,
  });
  edit(
    "stay on other lines",
    latin1("\xfd\xfe\x80\nline\n\xc3\n"),
    "line",
    "LINE",
    latin1("\xfd\xfe\x80\nLINE\n\xc3\n"),
  );
  edit(
    "stay on kept lines of a loose match",
    latin1("\xe9 \nb \nc\n"),
    "b\nc",
    "b\nX",
    latin1("\xe9 \nb \nX\n"),
  );
  edit("a letter that ends like a no-break space is no space", "à\nb\n", "à\nb", "à\nc", "à\nc\n");
  refused("are not found by what is shown for them", latin1("caf\xe9\n"), "caf\uFFFD", "x", /not in/);
  refused("a binary file", Buffer.from([1, 2, 0, 97, 98]), "ab", "c", /binary file/);
});

describe("spaces at line ends", () => {
  edit("in the file", "a  \nb\t\nc\n", "a\nb", "x\ny", "x\ny\nc\n", { says: /spaces at line ends/ });
  edit("in the edit", "a\nb\nc\n", "a  \nb ", "x\ny", "x\ny\nc\n");
  edit(
    "on lines that stay, they stay",
    "one  \ntwo\nthree  \n",
    "one\ntwo\nthree",
    "one\n2\nthree",
    "one  \n2\nthree  \n",
  );
  edit("on lines that stay between changed ones", "a\nb  \nc\n", "a\nb\nc\n", "x\nb\nz\n", "x\nb  \nz\n");
  edit("blank lines with spaces in the file", "a\n   \nb\n", "a\n\nb", "a\n\nc", "a\n   \nc\n");
  edit("blank lines with spaces in the edit", "a\n\nb\n", "a\n    \nb", "x\n\nb", "x\n\nb\n");
  edit("with CRLF", "a  \r\nb\r\nc\r\n", "a\nb\n", "x\ny\n", "x\r\ny\r\nc\r\n");
  edit("the line end behind the last line stays", "a \nb \nc\n", "a\nb", "x", "x\nc\n");
  edit("a newline in front", "z\na \nb\n", "\na\nb", "\nx\nb", "z\nx\nb\n");
  refused(
    "not when the new text would join the line before",
    "z\na \nb\n",
    "\na\nb",
    "x\nb",
    /nearest text is at line 2/,
  );
  refused("not for blank text alone", "a\nb\n", "   \n  ", "x", /not in/);
});

describe("indentation", () => {
  const nested = "class A:\n    def f(self):\n        if x:\n            go()\n        return 1\n";
  edit(
    "too little, new lines move along",
    nested,
    "if x:\n    go()\nreturn 1",
    "if x:\n    stop()\nelse:\n    go()\nreturn 2",
    "class A:\n    def f(self):\n        if x:\n            stop()\n        else:\n            go()\n        return 2\n",
    { says: /other indentation/ },
  );
  edit(
    "too much, new lines move back",
    "a:\n  b\n  c\n",
    "      b\n      c",
    "      b\n        d\n      e",
    "a:\n  b\n    d\n  e\n",
  );
  edit("one line with too much", "x\n  y = 1\nz\n", "      y = 1", "      y = 2", "x\n  y = 2\nz\n");
  edit(
    "spaces for the file's tabs",
    "func f() {\n\tif a {\n\t\tgo()\n\t}\n}\n",
    "    if a {\n        go()\n    }",
    "    if a {\n        stop()\n        go()\n    }",
    "func f() {\n\tif a {\n\t\tstop()\n\t\tgo()\n\t}\n}\n",
  );
  edit(
    "two spaces for the file's tabs",
    "{\n\ta {\n\t\tb\n\t}\n}\n",
    "  a {\n    b\n  }",
    "  a {\n    c {\n      d\n    }\n  }",
    "{\n\ta {\n\t\tc {\n\t\t\td\n\t\t}\n\t}\n}\n",
  );
  edit(
    "tabs for the file's spaces",
    "f:\n    if a:\n        go\n",
    "\tif a:\n\t\tgo",
    "\tif a:\n\t\tgo\n\telse:\n\t\tstop",
    "f:\n    if a:\n        go\n    else:\n        stop\n",
  );
  edit(
    "one line, tabs for spaces, new lines deeper",
    "f:\n    go\n    if a:\n        b\n",
    "\tgo",
    "\tif c:\n\t\tgo",
    "f:\n    if c:\n        go\n    if a:\n        b\n",
  );
  edit(
    "one line, spaces for tabs, new lines deeper",
    "{\n\tgo\n\ta {\n\t\tb\n\t}\n}\n",
    "    go",
    "    if c {\n        go\n    }",
    "{\n\tif c {\n\t\tgo\n\t}\n\ta {\n\t\tb\n\t}\n}\n",
  );
  edit(
    "two spaces for the file's four",
    "def f():\n    if a:\n        go()\n    return\n",
    "  if a:\n    go()\n",
    "  if a:\n    go()\n    stop()\n",
    "def f():\n    if a:\n        go()\n        stop()\n    return\n",
  );
  edit(
    "one line, two for four, new lines deeper",
    "def f():\n    go()\n    if a:\n        b()\n",
    "  go() ",
    "  if c:\n    go()",
    "def f():\n    if c:\n        go()\n    if a:\n        b()\n",
  );
  edit(
    "the first line without, the others as in the file",
    "f:\n    if a:  \n        go\n    end\n",
    "if a:\n        go\n",
    "if b:\n        stop\n",
    "f:\n    if b:\n        stop\n    end\n",
  );
  edit(
    "lines that stay keep theirs",
    "f:\n\ta\n\tb\n\tc\n",
    "  a\n  b\n  c",
    "  a\n  x\n  c",
    "f:\n\ta\n\tx\n\tc\n",
  );
  edit(
    "new lines left of all others",
    "if a:\n    if b:\n        c\n        d\n",
    "    c\n    d",
    "    c\ne",
    "if a:\n    if b:\n        c\n    e\n",
  );
  edit("nothing left of the margin", "a\n  b\n", "    b", "    b\nc", "a\n  b\nc\n");
  edit("blank new lines stay blank", "f:\n    a\n    b\n", "a\nb\n", "a\n\nb\n", "f:\n    a\n\n    b\n");
  edit("deletes", "f:\n    a\n    b\n    c\n", "  a\n  b\n", "", "f:\n    c\n");
  edit("with CRLF", "f:\r\n\ta\r\n\tb\r\n", "  a\n  b", "  a\n  c\n  d", "f:\r\n\ta\r\n\tc\r\n\td\r\n");
  refused(
    "tabs and spaces mixed follow no rule",
    "f(\n\ta,\n\t  b)\n",
    "f(\n  a,\n    b) ",
    "x",
    /nearest text is at line 1/,
  );
  edit(
    "lines added behind the last one, which has no end",
    "\ta\r\n\tb",
    "  a\n  b",
    "  a\n  b\n  c",
    "\ta\r\n\tb\r\n\tc",
  );
  edit(
    "two levels at once",
    "{\n\t\tgo\n}\n",
    "        go",
    "        if\n                go",
    "{\n\t\tif\n\t\t\t\tgo\n}\n",
  );
  refused(
    "moved and squeezed at once",
    "f:\n\n    if a: \n        go\n    end\n",
    " \nif a:\n        go",
    " \nif a:\n    x\n        go",
    /nearest text is at line 3/,
  );
  refused(
    "both kinds in the new text alone",
    "{\n\tgo\n}\n",
    "    go",
    "    if\n\t\tgo",
    /nearest text is at line 2/,
  );
  refused(
    "that follows no rule",
    "a:\n    b\n        c\n    d\n",
    "a:\nb\nc\nd",
    "a:\nb\nx\nd",
    /nearest text is at line 1/,
  );
  refused(
    "not for a file the model hasn't seen",
    "f:\n    a\n    b\n",
    "  a\n  b",
    "  a\n  c",
    /have not read the file yet/,
    { unread: true },
  );
});

describe("more than one place", () => {
  refused(
    "lists them with line numbers",
    "go()\nx\ngo()\ny\ngo()\n",
    "go()",
    "stop()",
    /at 3 places[\s\S]*Line 1:\n1\tgo\(\)\n[\s\S]*Line 3:\n2\tx\n3\tgo\(\)\n4\ty\n[\s\S]*Line 5:\n4\ty\n5\tgo\(\)/,
  );
  refused(
    "says how to choose",
    "a a",
    "a",
    "b",
    /Add surrounding lines until it is unique, or set replace_all/,
  );
  refused("places that overlap", "aaa", "aa", "b", /at 2 places/);
  refused("the same lines with either line end", "a\nb\nx\na\r\nb\r\n", "a\nb", "c", /at 2 places/);
  refused(
    "but for spaces at line ends",
    "a \nb\nx\na\t\nb\n",
    "a\nb",
    "c",
    /at 2 places[\s\S]*Line 1:[\s\S]*Line 4:/,
  );
  refused("but for indentation", "\tgo(x)\n\t\tgo(x)\n", "  go(x)", "  stop(x)", /at 2 places/);
  refused("very many", "a\n".repeat(500), "a", "b", /more than 100 places[\s\S]*And 95 more/);
  edit("one more line makes it unique", "go()\nx\ngo()\ny\n", "go()\ny", "stop()\ny", "go()\nx\nstop()\ny\n");
});

describe("not there", () => {
  const code =
    "import a\n\ndef total(items):\n    result = 0\n    for item in items:\n        result += item.price\n    return result\n";
  refused(
    "shows the nearest text with line numbers",
    code,
    "def total(items):\n    sum = 0\n    for item in items:\n        sum += item.price",
    "x",
    /nearest text is at line 3[\s\S]*3\tdef total\(items\):\n4\t {4}result = 0\n5\t/,
  );
  refused(
    "one line with a slip",
    code,
    "    retrun result",
    "x",
    /at line 7; copy old_text from it:\n7\t {4}return result/,
  );
  refused(
    "nothing like it",
    code,
    "SELECT * FROM zebras WHERE stripes > 10",
    "x",
    /Nothing in the file is similar/,
  );
  refused(
    "line numbers copied along",
    code,
    "4\t    result = 0\n5\t    for item in items:",
    "x",
    /Leave out the line numbers/,
  );
  refused("an empty file", "", "a", "b", /is empty\. Use write_file/);
  refused("an empty old text", "a", "", "b", /old_text is empty[\s\S]*write_file/);
  refused("the same text", "a", "a", "a", /the same/);
  refused("the same text but for line ends", "a\r\nb", "a\r\nb", "a\nb", /the same/);
  refused(
    "other letters look the same",
    "a naïve search\n",
    "a naïve search".normalize("NFD"),
    "x",
    /nearest text is at line 1/,
  );
  refused("case matters", "Hello\n", "hello", "x", /not in/);
});

test("the corpus has at least 80 cases", () => {
  expect(cases).toBeGreaterThanOrEqual(80);
});
