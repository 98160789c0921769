// Calls as models really write them when they get it wrong, in shapes known from public reports about Qwen, Mistral,
// DeepSeek, Llama and the servers that run them. Each says what was meant, what the model is told, or that it is text.
import type { JsonObject } from "../../src/base/json.ts";

export type Expected =
  /** These run, in this order, with exactly these arguments. */
  | { readonly runs: readonly (readonly [tool: string, args: JsonObject])[]; readonly told?: string }
  /** Nothing runs, and the model is told this. */
  | { readonly told: string }
  /** Nothing runs, and there is nothing to tell. */
  | { readonly text: true };

export type Case = readonly [written: string, expected: Expected];

const read = (args: JsonObject): Expected => ({ runs: [["read_file", args]] });
const bash = (args: JsonObject): Expected => ({ runs: [["bash", args]] });
const write = (args: JsonObject): Expected => ({ runs: [["write_file", args]] });
const grep = (args: JsonObject): Expected => ({ runs: [["grep", args]] });
const research = (args: JsonObject): Expected => ({ runs: [["research", args]] });
const told = (told: string): Expected => ({ told });
const TEXT: Expected = { text: true };

/** Arguments of an ordinary call, by the tool that was called. */
export const ARGUMENTS: Readonly<Record<string, readonly Case[]>> = {
  read_file: [
    // Trailing and missing commas.
    ['{"filepath": "a.ts",}', read({ filepath: "a.ts" })],
    ['{"filepath": "a.ts", "limit": 10,\n}', read({ filepath: "a.ts", limit: 10 })],
    ['{"filepath": "a.ts" "limit": 10}', told('line 1, column 21: expected a comma or "}"')],
    ['{"filepath": "a.ts",, "limit": 10}', told("line 1, column 21: expected a name in quotes")],
    ['{,"filepath": "a.ts"}', told("line 1, column 2: expected a name in quotes")],
    // Quotes.
    ["{'filepath': 'a.ts'}", read({ filepath: "a.ts" })],
    ['{\'filepath\': "a.ts", "limit": 5}', read({ filepath: "a.ts", limit: 5 })],
    ["{“filepath”: “a.ts”}", read({ filepath: "a.ts" })],
    ["{filepath: 'a.ts', limit: 5}", read({ filepath: "a.ts", limit: 5 })],
    ["{filepath: a.ts}", told("line 1, column 12: expected a value after `{filepath: `, got `a.ts}`")],
    ["{`filepath`: `a.ts`}", told("expected a name in quotes")],
    ['{"filepath": "a.ts\'}', told('expected the closing " of a text')],
    ['{"filepath: "a.ts"}', told('expected ":" after `{"filepath: "`')],
    ["{filepath': 'a.ts'}", told('expected ":"')],
    ["{'filepath': 'it's.ts'}", told("after `{'filepath': 'it'`")],
    // Fences and wrappers.
    ['```json\n{"filepath": "a.ts"}\n```', read({ filepath: "a.ts" })],
    ['```\n{"filepath": "a.ts"}\n```\n', read({ filepath: "a.ts" })],
    ['```json\n{"filepath": "a.ts"}', read({ filepath: "a.ts" })],
    ['```json\n{"filepath": "a.ts"\n```', told('expected a comma or "}"')],
    ['"{\\"filepath\\": \\"a.ts\\"}"', read({ filepath: "a.ts" })],
    ['{\\"filepath\\": \\"a.ts\\"}', read({ filepath: "a.ts" })],
    ['{\\n  \\"filepath\\": \\"a.ts\\"\\n}', read({ filepath: "a.ts" })],
    ['Here you are: {"filepath": "a.ts"}', told("expected a value, got `Here you are")],
    ['{"filepath": "a.ts"} reads the file', told("expected nothing more")],
    ['<tool_call>{"filepath": "a.ts"}', told("expected a value, got `<tool_call>")],
    // Escapes outside of texts, comments.
    ['{"filepath": "a.ts", "limit": \\n10\\n\\n}', read({ filepath: "a.ts", limit: 10 })],
    ['{"filepath": "a.ts", // the file\n "limit": 10}', read({ filepath: "a.ts", limit: 10 })],
    ['{"filepath": "a.ts" /* all of it */}', read({ filepath: "a.ts" })],
    ['{"filepath": "a.ts" # the file\n}', told('expected a comma or "}"')],
    // Braces.
    ['{"filepath": "a.ts"}}', read({ filepath: "a.ts" })],
    ['{"filepath": "a.ts"}}\n}', read({ filepath: "a.ts" })],
    ['{"filepath": "a.ts"}]', told("expected nothing more")],
    ['{{"filepath": "a.ts"}', told("line 1, column 2: expected a name in quotes")],
    ['"filepath": "a.ts"', told('expected nothing more after `"filepath"`')],
    ['["a.ts"]', told("expected an object, got a list")],
    ['[{"filepath": "a.ts"}]', told("expected an object, got a list")],
    ["a.ts", told("line 1, column 1: expected a value")],
    ['"a.ts"', told("line 1, column 1: expected a value")],
    ["true", told("expected an object, got a boolean")],
    // Two at once.
    ['{"filepath": "a.ts"}{"filepath": "b.ts"}', told("expected nothing more")],
    ['{"filepath": "a.ts"}\n{"filepath": "b.ts"}', told("expected nothing more")],
    ["{'filepath': 'a.ts', 'filepath': 'b.ts'}", told("expected each name once")],
    // Cut off.
    ['{"filepath": "a.ts"', told("got the end of the text")],
    ['{"filepath": "a.t', told("got the end of the text")],
    ['{"filepath": ', told("got the end of the text")],
    ['{"filepath"', told("got the end of the text")],
    ["{", told("got the end of the text")],
    ['{"filepath": "a.ts", "limit": 1', told("got the end of the text")],
    ["{'filepath': 'a.ts", told("got the end of the text")],
    ['{\\"filepath\\": \\"a.t', told("line 1, column 2")],
    // Types.
    ['{"filepath": "a.ts", "limit": "10"}', read({ filepath: "a.ts", limit: 10 })],
    [
      '{"filepath": "a.ts", "offset": "-5", "limit": "20"}',
      read({ filepath: "a.ts", offset: -5, limit: 20 }),
    ],
    ['{"filepath": "a.ts", "limit": 10.0}', read({ filepath: "a.ts", limit: 10 })],
    ['{"filepath": "a.ts", "limit": "10.0"}', read({ filepath: "a.ts", limit: 10 })],
    ['{"filepath": "a.ts", "limit": "null"}', read({ filepath: "a.ts" })],
    ["{'filepath': 'a.ts', 'limit': None}", read({ filepath: "a.ts", limit: null })],
    ['{"filepath": "a.ts", "limit": "ten"}', told('limit: expected an integer, got "ten"')],
    ['{"filepath": "a.ts", "limit": "10 lines"}', told('limit: expected an integer, got "10 lines"')],
    ['{"filepath": "a.ts", "limit": "1,000"}', told("limit: expected an integer")],
    ['{"filepath": "a.ts", "limit": 010}', told("expected a value")],
    ['{"filepath": "a.ts", "limit": 10*2}', told('expected a comma or "}"')],
    ['{"filepath": "a.ts", "limit": 1.5}', told("limit: expected an integer, got 1.5")],
    ['{"filepath": "a.ts", "limit": [10]}', told("limit: expected an integer, got [10]")],
    ['{"filepath": 5}', told("filepath: expected a string, got 5")],
    ['{"filepath": ["a.ts"]}', told("filepath: expected a string")],
    ['{"filepath": null}', told("filepath: expected a string, got null")],
    ['{"path": "a.ts"}', told("filepath: missing, expected a string; path: not known here")],
    ["", told("filepath: missing")],
    ["null", told("filepath: missing")],
    ["undefined", told("expected a value")],
  ],
  write_file: [
    ['{"filepath": "a.md", "content": "one\ntwo\n"}', write({ filepath: "a.md", content: "one\ntwo\n" })],
    ['{"filepath": "a.md", "content": "\tone\r\n"}', write({ filepath: "a.md", content: "\tone\r\n" })],
    [
      "{'filepath': 'a.py', 'content': 'print(\"hi\")\\n'}",
      write({ filepath: "a.py", content: 'print("hi")\n' }),
    ],
    ["{'filepath': 'a.py', 'content': 'it\\'s'}", write({ filepath: "a.py", content: "it's" })],
    [
      '{"filepath": "a.json", "content": "{\\"a\\": 1,}",}',
      write({ filepath: "a.json", content: '{"a": 1,}' }),
    ],
    [
      '{"filepath": "a.py", "content": "env.get("KEY", "x")"}',
      told('after `{"filepath": "a.py", "content": "env.get("`'),
    ],
    ['{"filepath": "a.html", "content": "<a href="x">"}', told('expected a comma or "}"')],
    ['{"filepath": "a.md", "content": "first line', told('expected the closing " of a text')],
    ['{"filepath": "a.md", "content": "first line"', told("got the end of the text")],
    ['{"filepath": "a.md", "content": "first\nline\n', told("line 3, column 1")],
    ['{"filepath": "a.md", "content": {"a": 1}}', told('content: expected a string, got {"a":1}')],
    ['{"filepath": "a.md", "content": 1.0}', told("content: expected a string, got 1")],
    ['{"filepath": "a.md", "content": "a" + "b"}', told('expected a comma or "}"')],
    ['{"filepath": "a.md", "content": """a"""}', told('expected a comma or "}"')],
    ['{"filepath": "a.md", "content": r"a"}', told("expected a value")],
    ['{"filepath": "a.md"}', told("content: missing, expected a string")],
  ],
  bash: [
    ['{"command": "ls -la",}', bash({ command: "ls -la" })],
    ['{"command": "cat <<EOF\nhi\nEOF"}', bash({ command: "cat <<EOF\nhi\nEOF" })],
    ['{"command": "sleep 1", "timeout": "30"}', bash({ command: "sleep 1", timeout: 30 })],
    ['{"command": "sleep 1", "timeout": "0.5"}', bash({ command: "sleep 1", timeout: 0.5 })],
    ['{"command": "env", "env": "{\\"DEBUG\\": \\"1\\"}"}', bash({ command: "env", env: { DEBUG: "1" } })],
    ["{'command': 'env', 'env': {'A': 'b',},}", bash({ command: "env", env: { A: "b" } })],
    ['{"command": "env", "env": {"A": 1}}', told("env.A: expected a string, got 1")],
    ['{"command": "env", "env": "A=1"}', told('env: expected an object, got "A=1"')],
    ['{"command": "grep \\d+ a.txt"}', told("a backslash itself is written \\\\")],
    [`{"command": "echo 'it'\\''s'"}`, told("an escape that JSON has")],
    ['{"command": "docker run \\\n  -v a:b"}', told("an escape that JSON has")],
    ['{"command": "echo "hi""}', told('after `{"command": "echo "`')],
    ['{"command": "rm -r /tmp/x', told("got the end of the text")],
    ['{"command": "npm install", "timeout": ', told("got the end of the text")],
    ['{"command": "ls", "timeout": "120s"}', told('timeout: expected a number, got "120s"')],
    ['{"command": ["ls", "-la"]}', told("command: expected a string")],
    ['{"cmd": "ls"}', told("command: missing")],
    ["ls -la", told("expected a value")],
  ],
  grep: [
    ['{"pattern": "a", "case_insensitive": "true"}', grep({ pattern: "a", case_insensitive: true })],
    ["{'pattern': 'a', 'case_insensitive': True}", grep({ pattern: "a", case_insensitive: true })],
    ['{"pattern": "a", "case_insensitive": "False"}', grep({ pattern: "a", case_insensitive: false })],
    ['{"pattern": "true", "context": "2"}', grep({ pattern: "true", context: 2 })],
    ['{"pattern": "404"}', grep({ pattern: "404" })],
    ['{"pattern": 404}', told("pattern: expected a string, got 404")],
    [
      '{"pattern": "a", "case_insensitive": "yes"}',
      told('case_insensitive: expected true or false, got "yes"'),
    ],
    ['{"pattern": "a", "case_insensitive": 1}', told("case_insensitive: expected true or false, got 1")],
    ['{"pattern": "a", "case_insensitive": TRUE}', told("expected a value")],
    ['{"pattern": "\\w+\\s*="}', told("an escape that JSON has")],
    ['{"pattern": /a+/}', told("expected a value")],
  ],
  research: [
    [
      '{"query": "how", "directories": "[\\"src\\", \\"lib\\"]"}',
      research({ query: "how", directories: ["src", "lib"] }),
    ],
    [
      '{"query": "how", "directories": "[\'src\', \'lib\']"}',
      research({ query: "how", directories: ["src", "lib"] }),
    ],
    ['{"query": "how", "directories": "src"}', research({ query: "how", directories: ["src"] })],
    ["{'query': 'how', 'directories': ('src', 'lib')}", told("expected a value")],
    ['{"query": "how", "directories": "src, lib"}', told('directories: expected a list, got "src, lib"')],
    ['{"query": "how", "directories": "src lib"}', told("directories: expected a list")],
    ['{"query": "how", "directories": "[\\"src\\", \\"li"}', told("directories: expected a list")],
    ['{"query": "how", "directories": ["src", "lib"', told("got the end of the text")],
    ['{"query": "how", "directories": ["src", 5]}', told("directories.1: expected a string, got 5")],
  ],
  submit: [
    ["", { runs: [["submit", {}]] }],
    ["{}", { runs: [["submit", {}]] }],
    ["null", { runs: [["submit", {}]] }],
    ["None", { runs: [["submit", {}]] }],
    ['""', { runs: [["submit", {}]] }],
    ["{}}", { runs: [["submit", {}]] }],
    ["{,}", told("expected a name in quotes")],
    ["()", told("expected a value")],
  ],
};

const CALL = '{"name": "read_file", "arguments": {"filepath": "a.ts"}}';
const FOUND = read({ filepath: "a.ts" });

/** Calls written as text. */
export const TEXTS: readonly Case[] = [
  // <tool_call>
  [`<tool_call>\n${CALL}\n</tool_call>`, FOUND],
  [`I will read it.\n\n<tool_call>\n${CALL}\n</tool_call>\n`, FOUND],
  [`<tool_call>${CALL}}</tool_call>`, FOUND],
  [`<tool_call>${CALL}`, FOUND],
  [`<tool_call>[${CALL}]</tool_call>`, FOUND],
  [`<tool_call>\n${CALL}\n<tool_call>\n${CALL}\n</tool_call>`, { runs: [...two("a.ts", "a.ts")] }],
  ["<tool_call>{'name': 'read_file', 'arguments': {'filepath': 'a.ts',}}</tool_call>", FOUND],
  [
    '<tool_call>{"name": "read_file", "parameters": {"filepath": "a.ts", "limit": "5"}}</tool_call>',
    read({ filepath: "a.ts", limit: 5 }),
  ],
  ['<tool_call>{"name": "read_file", "arguments": "{\\"filepath\\": \\"a.ts\\"}"}</tool_call>', FOUND],
  ['<tool_call>{"function": {"name": "read_file", "arguments": {"filepath": "a.ts"}}}</tool_call>', FOUND],
  [
    '<tool_call>{"name": "write_file", "arguments": {"filepath": "a", "content": "ends with </tool_call>\n"}}</tool_call>',
    write({ filepath: "a", content: "ends with </tool_call>\n" }),
  ],
  [
    '<tool_call>{"name": "read_file", "arguments": {"filepath": "a.ts"}</tool_call>',
    told('its JSON can\'t be read: line 1, column 56: expected a comma or "}"'),
  ],
  ['<tool_call>{"name": "read_file", "arguments": {"filepath": "a.t', told("got the end of the text")],
  [
    '<tool_call>{"name": "read_file", "arguments": "{"filepath": "a.ts"}"}</tool_call>',
    told('expected a comma or "}" after'),
  ],
  [
    '<tool_call>{"name": "open_file", "arguments": {"filepath": "a.ts"}}</tool_call>',
    told('there is no tool called "open_file"'),
  ],
  [
    '<tool_call>{"name": "read_file"}</tool_call>',
    told("the arguments don't fit read_file: filepath: missing"),
  ],
  ['<tool_call>{"filepath": "a.ts"}</tool_call>', told("it names no tool")],
  [
    '<tool_call>{"name": "submit", "summary": "all done"}</tool_call>',
    told('summary must stand in "arguments"'),
  ],
  ['<tool_call>{"id": "1", "type": "function", "name": "submit"}</tool_call>', { runs: [["submit", {}]] }],
  [
    "<tool_call>read_file a.ts</tool_call>",
    told("its JSON can't be read: line 1, column 1: expected a value"),
  ],
  ["<tool_call></tool_call>", told("its JSON can't be read")],
  [`<tool_call>${CALL} and more</tool_call>`, told("</tool_call> was expected after its JSON")],
  [
    `<tool_call>${CALL}</tool_call>\n<tool_call>{"name": </tool_call>`,
    { ...FOUND, told: "its JSON can't be read" },
  ],
  [
    `<tool_call>{"name": "read_file</tool_call>\n<tool_call>${CALL}</tool_call>`,
    told("its JSON can't be read"),
  ],
  ["Qwen writes <tool_call>{...}</tool_call> for a call.", TEXT],
  [`\`\`\`\n<tool_call>${CALL}</tool_call>\n\`\`\``, TEXT],
  // <function=NAME>
  ["<function=read_file>\n<parameter=filepath>\na.ts\n</parameter>\n</function>", FOUND],
  [
    "<tool_call>\n<function=read_file>\n<parameter=filepath>\na.ts\n</parameter>\n</function>\n</tool_call>",
    FOUND,
  ],
  [
    "I read it.\n\n<function=read_file>\n<parameter=filepath>\na.ts\n</parameter>\n</function>\n</tool_call>",
    FOUND,
  ],
  ["<tool_call><function=read_file><parameter=filepath>a.ts</parameter></function></tool_call>", FOUND],
  ["<tool_call><function=read_file><parameter=filepath>a.ts</parameter></tool_call>", FOUND],
  [
    "<function=read_file>\n<parameter=filepath>\na.ts\n</parameter>\n<parameter=limit>\n10\n</parameter>\n</function>",
    read({ filepath: "a.ts", limit: 10 }),
  ],
  [
    "<function=grep><parameter=pattern>10</parameter><parameter=case_insensitive>True</parameter></function>",
    grep({ pattern: "10", case_insensitive: true }),
  ],
  [
    "<function=research><parameter=query>how</parameter><parameter=directories>['src', 'lib']</parameter></function>",
    research({ query: "how", directories: ["src", "lib"] }),
  ],
  [
    '<function=bash><parameter=command>env</parameter><parameter=env>{"A": "1"}</parameter></function>',
    bash({ command: "env", env: { A: "1" } }),
  ],
  [
    "<function=read_file><parameter=filepath>a.ts</parameter><parameter=limit>null</parameter></function>",
    FOUND,
  ],
  [
    '<function=write_file>\n<parameter=filepath>\na.html\n</parameter>\n<parameter=content>\n\n<b>"it\'s"</b> \\d {\n</function>\n\n</parameter>\n</function>',
    write({ filepath: "a.html", content: '\n<b>"it\'s"</b> \\d {\n</function>\n' }),
  ],
  ["<function=submit>\n</function>", { runs: [["submit", {}]] }],
  ["<tool_call>\n<function=submit>\n</tool_call>", { runs: [["submit", {}]] }],
  ["<function=read_file>{'filepath': 'a.ts',}</function>", FOUND],
  ['<function=read_file>{"filepath": "a.ts"}', FOUND],
  [
    "<function=read_file><parameter=filepath>a.ts</parameter></function>\n<function=read_file><parameter=filepath>b.ts</parameter></function>",
    { runs: [...two("a.ts", "b.ts")] },
  ],
  [
    "<function=read_file>\n<parameter=filepath>\na.ts\n</parameter>\n",
    told("</function> was expected after the value of filepath"),
  ],
  [
    "<function=read_file>\n<parameter=filepath>\na.ts\n</function>",
    told("the value of filepath has no </parameter>"),
  ],
  ["<function=read_file>\n<parameter=filepath>\na.t", told("the value of filepath has no </parameter>")],
  [
    "<function=read_file><parameter=filepath>a.ts<parameter=limit>5</parameter></function>",
    told("nobody can tell where the value of filepath ends; write the arguments as a JSON object instead"),
  ],
  [
    "<function=read_file><parameter=filepath>a.ts</parameter>5</function>",
    told("</function> was expected after the value of filepath"),
  ],
  [
    "<function=read_file><parameter=filepath>a</parameter><parameter=filepath>b</parameter></function>",
    told("filepath is given twice"),
  ],
  ["<function=read_file><parameter=limit>5</parameter></function>", told("filepath: missing")],
  [
    "<function=read_file><parameter=filepath>a</parameter><parameter=limit>five</parameter></function>",
    told('limit: expected an integer, got "five"'),
  ],
  ["<function=read_file><parameter>a.ts</parameter></function>", told("its JSON can't be read")],
  [
    "<function=read_file<parameter=filepath>a.ts</parameter></function>",
    told('the ">" after "<function=read_file" is missing'),
  ],
  ["<function=open><parameter=filepath>a.ts</parameter></function>", told('there is no tool called "open"')],
  ['<function=read_file>{"filepath": "a.ts"</function>', told("its JSON can't be read")],
  ["Write <function=NAME><parameter=KEY> and so on.", TEXT],
  ["`<function=read_file>` reads a file.", TEXT],
  // [TOOL_CALLS]
  [`[TOOL_CALLS][${CALL}]`, FOUND],
  [`[TOOL_CALLS] [${CALL}]`, FOUND],
  [`[TOOL_CALLS]${CALL}`, FOUND],
  [`I will look.[TOOL_CALLS][${CALL}]`, FOUND],
  [
    `[TOOL_CALLS][${CALL}, {"name": "read_file", "arguments": {"filepath": "b.ts"}}]`,
    { runs: [...two("a.ts", "b.ts")] },
  ],
  [`[TOOL_CALLS][${CALL}][/TOOL_CALLS]`, FOUND],
  [`[TOOL_CALLS][${CALL}]</s>`, FOUND],
  ["[TOOL_CALLS][{'name': 'read_file', 'arguments': {'filepath': 'a.ts'}}]", FOUND],
  ['[TOOL_CALLS]read_file[ARGS]{"filepath": "a.ts"}', FOUND],
  ['[TOOL_CALLS]read_file{"filepath": "a.ts"}', FOUND],
  ['[TOOL_CALLS]read_file[CALL_ID]a1b2c3d4e[ARGS]{"filepath": "a.ts"}', FOUND],
  [
    '[TOOL_CALLS]read_file[ARGS]{"filepath": "a.ts"}[TOOL_CALLS]read_file[ARGS]{"filepath": "b.ts"}',
    { runs: [...two("a.ts", "b.ts")] },
  ],
  ["[TOOL_CALLS]submit[ARGS]{}", { runs: [["submit", {}]] }],
  [
    '[TOOL_CALLS]read_file[ARGS]{"filepath": "a.ts"}read_file[ARGS]{"filepath": "b.ts"}',
    told("every call needs a [TOOL_CALLS] of its own"),
  ],
  ['[TOOL_CALLS]read_file[ARGS]{"filepath": "a.t', told("got the end of the text")],
  [`[TOOL_CALLS][${CALL}`, told('expected a comma or "]"')],
  ["[TOOL_CALLS]read_file[ARGS]a.ts", told("its JSON can't be read")],
  ['[TOOL_CALLS]open[ARGS]{"filepath": "a.ts"}', told('there is no tool called "open"')],
  ['[TOOL_CALLS]read_file[ARGS]{"limit": 5}', told("filepath: missing")],
  ["[TOOL_CALLS] is the marker that Mistral uses.", TEXT],
  [`[TOOL_CALLS][${CALL}] is how it is written.`, TEXT],
  ["[TOOL_CALLS][/TOOL_CALLS]", TEXT],
  // Fenced, bare.
  [`\`\`\`json\n${CALL}\n\`\`\``, FOUND],
  ["```json\n{'name': 'read_file', 'args': {'filepath': 'a.ts',},}\n```", FOUND],
  [
    '```json\n{"name": "write_file", "arguments": {"filepath": "a", "content": "x\n```js\ny"}}\n```',
    write({ filepath: "a", content: "x\n```js\ny" }),
  ],
  [`Let me see:\n${CALL}`, FOUND],
  [`${CALL}}`, FOUND],
  [
    '{"name": "write_file", "arguments": {"filepath": "a.md", "content": "# A\n\n{b}\n"}}',
    write({ filepath: "a.md", content: "# A\n\n{b}\n" }),
  ],
  ['{"tool": "read_file", "args": {"filepath": "a.ts", "limit": "5"}}', read({ filepath: "a.ts", limit: 5 })],
  ['{"name": "read_file", "arguments": {"file": "a.ts"}}', told("filepath: missing")],
  [
    '{"name": "write_file", "arguments": {"filepath": "a", "content": "say "hi""}}',
    told("its JSON can't be read: line 1, column 72"),
  ],
  ['{"name": "read_file", "arguments": {"filepath": "a.t', told("got the end of the text")],
  [
    `{"name": "write_file", "arguments": {"filepath": "a", "content": "\n${CALL}`,
    told("its JSON can't be read"),
  ],
  [`${CALL}\n{"name": "read_file", "argu`, told("got the end of the text")],
  [`${CALL}\n{"name": oops}`, TEXT],
  [`<tool_call>{"name": oops\n${CALL}`, told("its JSON can't be read: line 1, column 10: expected a value")],
  [`For example:\n${CALL}\nreads a file.`, TEXT],
  [`Use ${CALL} to read it.`, TEXT],
  ['{"name": "submit", "version": "1.0.0"}', TEXT],
  ['{"name": "my-package", "version": "1.0.0"}', TEXT],
  ['{"result": "ok", "arguments": {"filepath": "a.ts"}}', TEXT],
  ['read_file({"filepath": "a.ts"})', TEXT],
  ["read_file(filepath='a.ts')", TEXT],
];

function two(one: string, other: string) {
  return [
    ["read_file", { filepath: one }],
    ["read_file", { filepath: other }],
  ] as const;
}
