// The permit in the mode auto: what a reviewer is asked about, what it is told, and what its answer is worth.
import { expect, test } from "bun:test";
import { VOCABULARY } from "../../test/support/asked-call.ts";
import { catalogTool } from "../../test/support/bound-tool.ts";
import { fakeDisk } from "../../test/support/fake-disk.ts";
import { abortReason } from "../base/abort.ts";
import type { JsonObject } from "../base/json.ts";
import type { PermissionMode, PersonAnswer } from "../domain/permission.ts";
import type { PermissionContext } from "./context.ts";
import { createPermit } from "./permit.ts";
import { type Decided, mayBeReviewed, type ReviewedCall, type Reviewer } from "./review.ts";
import { parseRules } from "./rules.ts";

const workspace = { root: "/p", cwd: () => "/p", setCwd: () => {} };
const signal = new AbortController().signal;
const ask = (rule: string) => parseRules([rule], "ask", "person", VOCABULARY).rules;
const deny = (rule: string) => parseRules([rule], "deny", "person", VOCABULARY).rules;

interface Given {
  readonly mode?: PermissionMode;
  readonly person?: (() => Promise<PersonAnswer>) | null;
  readonly review?: Reviewer;
}

const START: PermissionContext = {
  mode: "auto",
  rules: [],
  vocabulary: VOCABULARY,
  workspace: { root: "/p", cwd: "/p" },
  home: "/home/me",
  trusted: false,
  sandbox: false,
  disk: fakeDisk({ "/p/src/a.ts": "file" }),
  environment: {},
};

function reviewed({ mode = "auto", person = null, review }: Given = {}) {
  let context = { ...START, mode };
  const seen: ReviewedCall[] = [];
  const permit = createPermit({
    context: async () => context,
    ask: person,
    remember: () => {},
    review: async (call, ...rest) => {
      seen.push(call);
      return (await review?.(call, ...rest)) ?? "allow";
    },
  });
  return {
    seen,
    change: (changes: Partial<PermissionContext>) => {
      context = { ...context, ...changes };
    },
    call: (toolName: string, args: JsonObject, given = signal) =>
      permit(
        { kind: "tool-call", toolCallId: "1", toolName, args },
        catalogTool(toolName, { workspace }),
        given,
      ),
  };
}

const edit = { filepath: "/p/src/b.ts", content: "secret contents\nof the file\n" };

test("an allowed call gets the grant that was decided, and a reviewer that asks leaves it to the person", async () => {
  const { call, seen } = reviewed();
  const answer = await call("write_file", edit);
  expect(answer).toMatchObject({ type: "allow", grant: { sandboxed: false } });
  expect(answer.type === "allow" && [...(answer.grant?.realPaths ?? [])]).toEqual([
    ["/p/src/b.ts", "/p/src/b.ts"],
  ]);
  expect(seen).toHaveLength(1);
  expect(JSON.stringify(seen)).not.toContain("secret");
  expect(seen[0]?.facts).toMatchObject({ paths: [{ access: "write", path: "/p/src/b.ts" }] });
  const review = async () => "ask" as const;
  expect(await reviewed({ review }).call("write_file", edit)).toMatchObject({ type: "deny", unasked: true });
  const person = async () => ({ type: "once" }) as const;
  expect(await reviewed({ review, person }).call("write_file", edit)).toMatchObject({ type: "allow" });
});

test("it is told the command byte for byte, its variables, its folder and why it is asked about", async () => {
  const { call, seen } = reviewed();
  expect(await call("bash", { command: "npm test", env: { CI: "1" } })).toMatchObject({ type: "allow" });
  expect(seen[0]).toMatchObject({
    shown: "npm test",
    facts: {
      tool: "bash",
      command: {
        script: "npm test",
        env: { CI: "1" },
        folder: "/p",
        sandboxed: false,
        simpleCommands: ["npm test"],
      },
      askedBecause: expect.stringMatching(/\.$/),
    },
  });
});

test.each<PermissionMode>(["ask", "auto-edit", "read-only", "yolo"])(
  "nobody reviews in the mode %s",
  async (mode) => {
    const { call, seen } = reviewed({ mode });
    await call("write_file", edit);
    await call("bash", { command: "npm test" });
    expect(seen).toEqual([]);
  },
);

test("what a rule asks about or denies is not reviewed", async () => {
  const { call, seen, change } = reviewed();
  change({ rules: ask("write_file") });
  expect(await call("write_file", edit)).toMatchObject({ type: "deny", unasked: true });
  change({ rules: deny("write_file(src/**)") });
  expect(await call("write_file", edit)).toMatchObject({ type: "deny" });
  expect(seen).toEqual([]);
});

test("a command that would leave a sandbox is not reviewed", () => {
  const demands = [{ type: "shell", command: "rm a", folder: "/p", env: {} }] as const;
  const decision = { decision: "ask", reason: "It deletes a.", reviewable: true } as const;
  const decided = (sandbox: boolean, sandboxed: boolean): Decided => ({
    call: { toolName: "bash", demands },
    decision: { ...decision, sandboxed },
    context: { ...START, sandbox },
  });
  expect([decided(false, false), decided(true, true), decided(true, false)].map(mayBeReviewed)).toEqual([
    true,
    true,
    false,
  ]);
});

test("what changed during a review counts: a deny wins, another mode or another question asks the person", async () => {
  const person = async () => ({ type: "deny" }) as const;
  for (const [changes, expected] of [
    [{ rules: deny("write_file") }, { type: "deny", reason: expect.stringContaining("write_file") }],
    [{ mode: "ask" }, { type: "deny", by: "person" }],
    [{ rules: ask("write_file") }, { type: "deny", by: "person" }],
    [{ mode: "yolo" }, { type: "allow" }],
  ] as const) {
    const setup = reviewed({
      person,
      review: async () => {
        setup.change(changes);
        return "allow";
      },
    });
    expect(await setup.call("write_file", edit)).toMatchObject(expected);
  }
});

test("reviews run one after another, an abort ends one, and the next still runs", async () => {
  const stop = new AbortController();
  let open = 0;
  const { call, seen } = reviewed({
    review: async (_, given) => {
      expect(++open).toBe(1);
      await new Promise<void>((resolve, reject) => {
        setTimeout(resolve, 5);
        given.addEventListener("abort", () => reject(abortReason(given)));
        // The first one.
        stop.abort();
      }).finally(() => open--);
      return "allow";
    },
  });
  const calls = [
    call("write_file", edit, stop.signal),
    call("bash", { command: "npm test" }),
    call("write_file", edit),
  ];
  const [first, ...others] = await Promise.allSettled(calls);
  expect(first?.status).toBe("rejected");
  expect(others).toMatchObject([{ value: { type: "allow" } }, { value: { type: "allow" } }]);
  expect(seen).toHaveLength(3);
});

test("it is told what the person refused, and in which words", async () => {
  const { call, seen } = reviewed({
    person: async () => ({ type: "deny", words: "not in src" }),
    review: async () => "ask",
  });
  await call("write_file", edit);
  await call("write_file", edit);
  expect(seen[0]?.facts.refusedEarlier).toBeUndefined();
  expect(seen[1]?.facts.refusedEarlier).toEqual([
    { call: expect.stringContaining("b.ts"), words: "not in src" },
  ]);
});
