// `tunacode run --output-schema`: the last answer is JSON that fits, or the run fails and says what is wrong.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/base/json.ts";
import { configureWires, FOUR_WIRES } from "../support/four-wires.ts";
import { type CliLab, openCliLab } from "../support/running-binary.ts";
import { answer, call, refuse, type Turn } from "../support/strict-llm-server/turn.ts";

const SCHEMA = {
  type: "object",
  properties: { count: { type: "integer", minimum: 1 }, name: { type: "string" } },
  required: ["count"],
  additionalProperties: false,
};
const FITS = '{"count": 3, "name": "tuna"}';

setDefaultTimeout(60_000);

let lab: CliLab;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  lab = await openCliLab();
  env = configureWires(lab);
  writeFileSync(join(lab.folder, "schema.json"), JSON.stringify(SCHEMA));
  writeFileSync(join(lab.folder, "open.json"), JSON.stringify({ type: "object" }));
  writeFileSync(join(lab.folder, "note.txt"), "three tuna\n");
}, 120_000);
afterAll(() => lab.close());

async function ask(turns: readonly Turn[], args: readonly string[] = [], schema = "schema.json") {
  lab.script(turns);
  const before = lab.server.requests.length;
  const ended = await lab.run(["run", "--output-schema", schema, ...args, "how many?"], { env });
  return { ...ended, requests: lab.server.requests.slice(before) };
}

test("an answer that fits is printed alone, with one line end", async () => {
  for (const words of [FITS, `\n${FITS}\n\n`, `\`\`\`json\n${FITS}\n\`\`\``, `\`\`\`\n${FITS}\n\`\`\`\n`]) {
    const { code, stdout, requests } = await ask([answer(words)]);
    expect({ code, stdout, asked: requests.length }).toEqual({ code: 0, stdout: `${FITS}\n`, asked: 1 });
  }
});

test("the model is told the schema, and asked again with what is wrong", async () => {
  const { code, stdout, requests } = await ask([
    answer("There are three."),
    answer('{"count": 0, "other": 1}'),
    answer(FITS),
  ]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${FITS}\n` });
  expect(requests[0]?.text).toContain('\\"minimum\\":1');
  expect(requests[1]?.text).toContain("it is not JSON");
  expect(requests[2]?.text).toContain("count: expected at least 1, got 0");
  expect(requests[2]?.text).toContain("other: expected nothing of that name");
});

test("three wrong answers end it, with what is wrong and nothing on stdout", async () => {
  const wrong = () => answer('{"count": "many"}');
  const { code, stdout, stderr, requests } = await ask([wrong(), wrong(), wrong(), answer(FITS)]);
  expect({ code, stdout, asked: requests.length }).toEqual({ code: 1, stdout: "", asked: 3 });
  expect(stderr).toContain('count: expected an integer, got "many"');
  const json = await ask([wrong(), wrong(), wrong()], ["--output", "json"]);
  expect(JSON.parse(json.stdout)).toMatchObject({
    success: false,
    outcome: "failed",
    output: '{"count": "many"}',
    error: { code: "output_schema", message: expect.stringContaining("count: expected an integer") },
  });
  const next = await lab.run(["run", "-c", "go on"], { env });
  expect(lab.server.requests.at(-1)?.problems).toEqual([]);
  expect(next.code).toBeGreaterThan(0); // The script has no turn left, but the history was taken.
});

test("json has the value, and stream-json too", async () => {
  const { stdout } = await ask([answer(`\`\`\`json\n${FITS}\n\`\`\``)], ["--output", "json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    success: true,
    output: FITS,
    structured_output: { count: 3, name: "tuna" },
  });
  const lines = (await ask([answer("null"), answer(FITS)], ["--output", "stream-json"])).stdout
    .trimEnd()
    .split("\n");
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ type: "result", structured_output: { count: 3 } });
});

describe.each(FOUR_WIRES)("on $api", ({ api, model }) => {
  const reading = () => answer("Let me see.", call("read_file", { filepath: "note.txt" }));

  test("tools are called first, and the last answer fits", async () => {
    const turns = [reading(), answer("three"), answer("3"), answer(FITS)];
    const { code, stdout, requests } = await ask(turns, ["-m", `${api}:${model}`]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${FITS}\n` });
    expect(requests.flatMap(({ problems }) => problems)).toEqual([]);
    expect(requests[1]?.text).toContain("three tuna");
    // A chat server is held to the schema only in the last attempt, which can't call tools.
    const isNative = requests.map(({ body }) => nativeSchema(body) !== undefined);
    expect(isNative).toEqual(api === "openai-chat" ? [false, false, false, true] : [true, true, true, true]);
    expect(nativeSchema(requests[3]?.body ?? {})).toMatchObject({ type: "object", required: ["count"] });
  });

  test("a vendor that refuses the schema is asked without it", async () => {
    const turns = [refuse(400, { message: "schema not supported" }), answer(FITS)];
    const { code, stdout, stderr, requests } = await ask(turns, ["-m", `${api}:${model}`]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${FITS}\n` });
    expect(stderr).toContain("schema not supported");
    expect(nativeSchema(requests[1]?.body ?? {})).toBeUndefined();
    expect(requests[1]?.text).toContain('\\"minimum\\":1');
  });
});

const NATIVE = [
  ["response_format", "json_schema", "schema"],
  ["text", "format", "schema"],
  ["output_config", "format", "schema"],
  ["generationConfig", "responseJsonSchema"],
];

/** The schema where each vendor has it. */
function nativeSchema(body: JsonObject): JsonValue | undefined {
  const found = NATIVE.map((path) =>
    path.reduce<JsonValue | undefined>((value, key) => (isJsonObject(value) ? value[key] : undefined), body),
  );
  return found.find((value) => value !== undefined);
}

test.each([
  ["claude-sonnet-4-5", "open.json"],
  ["claude-3-haiku", "schema.json"],
])("Anthropic's own form is not used with %s and %s", async (model, schema) => {
  const { code, requests } = await ask([answer(FITS)], ["-m", `anthropic:${model}`], schema);
  expect(code).toBe(0);
  expect(requests[0]?.body["output_config"]).toBeUndefined();
  expect(requests[0]?.text).not.toContain('"name":"json"');
});

test("an older Gemini gets no schema beside its tools", async () => {
  const { code, requests } = await ask([answer(FITS)], ["-m", "google:gemini-2.5-pro"]);
  expect(code).toBe(0);
  expect(nativeSchema(requests[0]?.body ?? {})).toBeUndefined();
});

test.each([
  ["missing.json", undefined, "can't be read"],
  ["bad.json", "{", "is not JSON"],
  ["list.json", "[]", "must be a JSON object"],
  ["type.json", '{"properties": {"a": {"type": "text"}}}', '"text" is no type'],
  ["pattern.json", '{"pattern": "("}', "Invalid regular expression"],
  ["reference.json", '{"$ref": "#/$defs/none"}', "leads nowhere"],
  ["circle.json", '{"$ref": "#"}', "leads in circles"],
  ["required.json", '{"required": "a"}', "required must be a list"],
])("a schema file that can't be used is an error of the command line: %s", async (name, content, why) => {
  if (content !== undefined) writeFileSync(join(lab.folder, name), content);
  const { code, stderr, requests } = await ask([answer(FITS)], [], name);
  expect({ code, asked: requests.length }).toEqual({ code: 2, asked: 0 });
  expect(stderr).toContain(`--output-schema: ${name}`);
  expect(stderr).toContain(why);
});
