// A batch leaves the same files and gives the same answers as its calls would one after the other.
import { expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import fc from "fast-check";
import { systemClock } from "../../src/base/clock.ts";
import type { JsonObject } from "../../src/base/json.ts";
import type { Tool } from "../../src/domain/tool.ts";
import { createFileTools, type FileTools } from "../support/file-tools.ts";
import { scenario } from "../support/scenario.ts";

const RUNS = process.env["TUNACODE_LONG"] === "1" ? 3_000 : 60;

interface Call {
  readonly call: string;
  readonly args: JsonObject;
  /** How long it hesitates before it does anything. */
  readonly waitMs: number;
}

const filepath = fc.constantFrom("a.txt", "b.txt", "new.txt");
const word = fc.constantFrom("one", "two", "three");
const anyCall: fc.Arbitrary<Call> = fc
  .tuple(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({ call: fc.constantFrom("read_file", "look"), args: fc.record({ filepath }) }),
      },
      fc.record({
        call: fc.constant("write_file"),
        args: fc.record({ filepath, content: fc.array(word).map((words) => words.join("\n")) }),
      }),
      fc.record({
        call: fc.constant("update_file"),
        args: fc.record({ filepath, old_text: word, new_text: word, replace_all: fc.boolean() }),
      }),
      fc.record({ call: fc.constantFrom("read_file", "unknown"), args: fc.constant({}) }),
    ),
    fc.constantFrom(0, 0, 1, 4),
  )
  .map(([call, waitMs]) => ({ ...call, waitMs }));

test(`${RUNS} generated batches of reads and writes on real files`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyCall, { minLength: 2, maxLength: 10 }), async (calls) => {
      const together = await run([calls]);
      const oneByOne = await run(calls.map((call) => [call]));
      expect(together).toEqual(oneByOne);
    }),
    { numRuns: RUNS, seed: 6 },
  );
}, 600_000);

async function run(batches: readonly (readonly Call[])[]) {
  await using project = await createFileTools();
  await project.put("a.txt", "one\ntwo\none\n");
  await project.put("b.txt", "two\nthree\n");
  const waits = new Map(batches.flat().map((call, index) => [`c${index}`, call.waitMs]));
  let next = 0;
  const turns = batches.map((batch) => batch.map(({ call, args }) => ({ call, args, id: `c${next++}` })));
  // Real files take real time.
  const ports = { clock: systemClock, parallelWidth: 4 };
  const { ask } = scenario([...turns, [{ text: "done" }]], hesitant(project, waits), ports);
  const { messages } = await ask("go");
  const answers = messages.flatMap(({ parts }) =>
    parts.flatMap((part) =>
      part.kind === "tool-return" ? [[part.toolCallId, part.status, String(part.content)]] : [],
    ),
  );
  return { answers, files: await filesOf(project) };
}

/** The real tools, and one that is a research tool, each waiting for real as long as its call says. */
function hesitant({ tools, root }: FileTools, waits: ReadonlyMap<string, number>): Tool[] {
  const [read] = tools;
  const look: Tool[] = read === undefined ? [] : [{ ...read, name: "look", kind: "research" }];
  return [...tools, ...look].map((tool) => ({
    ...tool,
    execute: async (args, context) => {
      await Bun.sleep(waits.get(context.toolCallId) ?? 0);
      const output = await tool.execute(args, context);
      if (typeof output === "string") return output.replaceAll(root, "");
      return { ...output, content: String(output.content).replaceAll(root, "") };
    },
  }));
}

async function filesOf({ root, path }: FileTools): Promise<Record<string, string>> {
  const names = (await readdir(root)).toSorted();
  const entries = await Promise.all(names.map(async (name) => [name, await readFile(path(name), "utf8")]));
  return Object.fromEntries(entries);
}
