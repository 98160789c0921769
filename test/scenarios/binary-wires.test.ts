// The built program on every wire, from question to answer with a tool call and a thought in between: minified and split
// into chunks, the vendors' packages still have to say what they say when the sources run.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { configureWires, FOUR_WIRES } from "../support/four-wires.ts";
import { type CliLab, openCliLab } from "../support/running-binary.ts";
import { answer, call, text, thought } from "../support/strict-llm-server/turn.ts";

setDefaultTimeout(60_000);

let lab: CliLab;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  lab = await openCliLab();
  env = configureWires(lab);
  writeFileSync(join(lab.folder, "a.txt"), "three tuna\n");
}, 120_000);
afterAll(() => lab.close());

for (const { api } of FOUR_WIRES)
  test(`${api}: asked, read, answered`, async () => {
    lab.script([
      answer(thought("Let me look."), call("read_file", { filepath: "a.txt" }, { deltas: 3 })),
      answer(text("There are three.", ["There ", "are ", "three."])),
    ]);
    const { stdout, stderr, code, requests } = await run(api);
    expect([stdout, code]).toEqual(["There are three.\n", 0]);
    expect(stderr).not.toContain("could not be read");
    expect(requests.map(({ wire, problems }) => [wire, problems])).toEqual([
      [api, []],
      [api, []],
    ]);
    expect(requests[1]?.text).toContain("three tuna");
  });

for (const { api } of FOUR_WIRES)
  test(`${api}: calls that are nearly right are run, and one that is cut off is explained`, async () => {
    lab.script([
      answer(call("read_file", "{'filepath': 'a.txt', 'limit': '5',}")),
      answer(
        text("<function=read_file>\n<parameter=filepath>\na.txt\n</parameter>\n</function>\n</tool_call>"),
      ),
      answer(text('[TOOL_CALLS]read_file[ARGS]{"filepath": "a.txt"}')),
      answer(text('<tool_call>{"name": "read_file", "arguments": {"filepath": "a.t')),
      answer(text("Three.")),
    ]);
    const { stdout, code, requests } = await run(api);
    expect([stdout, code]).toEqual(["Three.\n", 0]);
    expect(requests.map(({ problems }) => problems)).toEqual([[], [], [], [], []]);
    expect(requests.map(({ text }) => text.split("three tuna").length - 1)).toEqual([0, 1, 2, 3, 3]);
    expect(requests[4]?.text).toContain("What you wrote as a tool call was not run: its JSON can't be read");
  });

async function run(api: string) {
  const before = lab.server.requests.length;
  const ended = await lab.run(["run", "--model", `${api}:some-model`, "How many?"], { env });
  return { ...ended, requests: lab.server.requests.slice(before) };
}
