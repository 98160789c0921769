import { describe, expect, test } from "bun:test";
import { askedCall, VOCABULARY } from "../../test/support/asked-call.ts";
import { catalogTool } from "../../test/support/bound-tool.ts";
import { fakeDisk } from "../../test/support/fake-disk.ts";
import type { JsonObject } from "../base/json.ts";
import type { ToolCallPart } from "../domain/part.ts";
import type { PermissionMode, PermissionQuestion, PersonAnswer } from "../domain/permission.ts";
import type { Tool } from "../domain/tool.ts";
import type { PermissionContext } from "./context.ts";
import { decide } from "./decide.ts";
import { createPermit } from "./permit.ts";
import { offersFor } from "./propose-rule.ts";
import { type PermissionRule, parseRules } from "./rules.ts";

const TOOL: Tool = catalogTool("bash", { workspace: { root: "/p", cwd: () => "/p", setCwd: () => {} } });
const signal = new AbortController().signal;

function call(command: string): ToolCallPart {
  return { kind: "tool-call", toolCallId: "1", toolName: "bash", args: { command } };
}

function context(rules: readonly PermissionRule[] = [], mode: PermissionMode = "ask"): PermissionContext {
  const workspace = { root: "/p", cwd: "/p" };
  return {
    mode,
    rules,
    vocabulary: VOCABULARY,
    workspace,
    home: "/home/me",
    trusted: false,
    sandbox: false,
    keepsRules: true,
    disk: fakeDisk({}),
    environment: {},
  };
}

function proposed(asked: { toolName: string; args: JsonObject }, given: PermissionContext) {
  return offersFor(askedCall(asked, given), given).find(({ lasts }) => lasts === "session")?.rules ?? [];
}

/** A person who gives these answers in turn, and a permit that asks them. */
function personWho(...answers: readonly PersonAnswer[]) {
  const questions: PermissionQuestion[] = [];
  const rules: PermissionRule[] = [];
  let open = 0;
  const permit = createPermit({
    context: async () => context(rules),
    remember: (offer) => rules.push(...parseRules(offer.rules, "allow", "session", VOCABULARY).rules),
    ask: async (question) => {
      expect(++open).toBe(1);
      questions.push(question);
      await Bun.sleep(1);
      open--;
      return answers[questions.length - 1] ?? { type: "stop" };
    },
  });
  return { permit: (command: string) => permit(call(command), TOOL, signal), questions };
}

describe("a permit", () => {
  test("asks only where a person has to decide", async () => {
    const { permit, questions } = personWho({ type: "once" });
    expect(await permit("ls")).toMatchObject({ type: "allow" });
    expect(await permit("npm test")).toMatchObject({ type: "allow" });
    expect(questions.map((question) => question.args["command"])).toEqual(["npm test"]);
  });

  test("asks one question at a time, and an earlier always settles a later one", async () => {
    const { permit, questions } = personWho({ type: "offer", offer: 0 }, { type: "once" });
    const answers = await Promise.all([permit("npm test"), permit("npm test"), permit("make")]);
    expect(answers).toMatchObject([{ type: "allow" }, { type: "allow" }, { type: "allow" }]);
    expect(questions.map((question) => question.offers[0]?.rules)).toEqual([
      ["bash(npm test)"],
      ["bash(make)"],
    ]);
  });

  test("tells the model a person's no in their words, and passes on stop", async () => {
    const { permit } = personWho({ type: "deny", words: "use make" }, { type: "deny" }, { type: "stop" });
    expect(await permit("npm a")).toMatchObject({ type: "deny", reason: "The person said no: use make" });
    expect(await permit("npm b")).toMatchObject({ type: "deny", reason: expect.stringContaining("said no") });
    expect(await permit("npm c")).toEqual({ type: "stop" });
  });

  test("refuses what nobody can be asked about, and says that it was not asked", async () => {
    const permit = createPermit({ context: async () => context(), ask: null, remember: () => {} });
    expect(await permit(call("npm test"), TOOL, signal)).toMatchObject({ type: "deny", unasked: true });
    const denied = createPermit({
      context: async () => context([], "read-only"),
      ask: null,
      remember: () => {},
    });
    expect(await denied(call("npm test"), TOOL, signal)).not.toHaveProperty("unasked");
  });

  test("says who said no", async () => {
    const { permit } = personWho({ type: "deny", words: "use make" });
    const nobody = createPermit({ context: async () => context(), ask: null, remember: () => {} });
    expect(await permit("npm a")).toMatchObject({ type: "deny", by: "person" });
    expect(await nobody(call("npm c"), TOOL, signal)).not.toHaveProperty("by", "person");
  });

  test("never asks about what read-only mode denies, so that no yes can slip through", async () => {
    const ask = async (): Promise<PersonAnswer> => {
      throw new Error("was asked");
    };
    const permit = createPermit({ context: async () => context([], "read-only"), ask, remember: () => {} });
    expect(await permit(call("npm test"), TOOL, signal)).toMatchObject({ type: "deny" });
  });

  test("goes on after a question that failed, and asks nothing after an abort", async () => {
    let asked = 0;
    const permit = createPermit({
      context: async () => context(),
      remember: () => {},
      ask: async () => {
        if (++asked === 1) throw new Error("the screen is gone");
        return { type: "once" };
      },
    });
    await expect(permit(call("npm a"), TOOL, signal)).rejects.toThrow("the screen is gone");
    expect(await permit(call("npm b"), TOOL, signal)).toMatchObject({ type: "allow" });
    expect(await permit(call("npm c"), TOOL, AbortSignal.abort())).toEqual({ type: "stop" });
    expect(asked).toBe(2);
  });
});

describe("always proposes", () => {
  test.each<[string, readonly string[]]>([
    ["npm test", ["bash(npm test)"]],
    ["npm run build -- --fast", ["bash(npm run build -- --fast)"]],
    ["git commit -m 'a b'", ["bash(git commit:*)"]],
    ["git push origin main", []],
    ["git -C sub push", []],
    ["git commit --amend", []],
    ["make && npm publish", []],
    ["git add . && git commit -m x", ["bash(git add:*)", "bash(git commit:*)"]],
    ["rm -rf build", ["bash(rm -rf build)"]],
    ["npm install left-pad", ["bash(npm install left-pad)"]],
    ["cargo test -p x", ["bash(cargo test:*)"]],
    ["echo x > 'a*b'", []],
    ["git stash push -m x", ["bash(git stash push -m x)"]],
    ["go build -o x", ["bash(go build -o x)"]],
    ["ls /", []],
    ["ls ~", []],
    ["ls /etc", []],
    ["grep -r x /", []],
    ["ls && make", ["bash(make)"]],
    ["python3 -c 'print(1)'", ["bash(python3 -c 'print(1)')"]],
    ["sudo make install", ["bash(sudo make install)", "bash(make install)"]],
    ["make > log.txt", ["bash(make)", "write(log.txt)"]],
    ["cat /etc/hosts", ["read(/etc/hosts)"]],
    ["cat ~/notes", ["read(~/notes)"]],
    ["$x y", []],
    ["PATH=. make", []],
    ["echo x | node", []],
    ["echo x | python3 -", []],
    ["echo x | /usr/bin/perl -w", []],
    ["node build.js", ["bash(node build.js)"]],
    ['echo "it\'s" | make', ["bash(make)"]],
  ])("%s: %j", (command, rules) => {
    expect(proposed(call(command), context())).toEqual(rules);
  });

  test("nothing that an ask rule would ask about again", () => {
    const { rules } = parseRules(["bash(make)"], "ask", "person", VOCABULARY);
    expect(proposed(call("make"), context(rules))).toEqual([]);
  });

  test.each<[string, string, string]>([
    ["write_file", "src/a.ts", "write(src/a.ts)"],
    ["read_file", ".env", "read(.env)"],
  ])("%s %s: %s", (toolName, filepath, rule) => {
    expect(proposed({ toolName, args: { filepath } }, context())).toEqual([rule]);
  });

  test("the host of a page", () => {
    const args = { url: "https://docs.example.com/a?b" };
    expect(proposed({ toolName: "web_fetch", args }, context())).toEqual(["web_fetch(docs.example.com)"]);
  });
});

describe("what a person can allow beyond a call", () => {
  const offers = (toolName: string, args: JsonObject, given = context()) =>
    offersFor(askedCall({ toolName, args }, given), given).map(
      ({ lasts, rules }) => `${lasts} ${rules.join(" ")}`,
    );

  test("an edit: this file, all edits in this session, this file for good", () => {
    expect(offers("write_file", { filepath: "src/a.ts" })).toEqual([
      "session write(src/a.ts)",
      "session write",
      "always write(src/a.ts)",
    ]);
  });

  test("a command, a host or a tool: for this session or for good", () => {
    expect(offers("bash", { command: "make" })).toEqual(["session bash(make)", "always bash(make)"]);
    expect(offers("web_fetch", { url: "https://a.example/x" })).toEqual([
      "session web_fetch(a.example)",
      "always web_fetch(a.example)",
    ]);
    expect(offers("some_tool", {})).toEqual(["session some_tool", "always some_tool"]);
  });

  test.each([
    ["write_file", ".git/config"],
    ["write_file", ".vscode/settings.json"],
    ["write_file", "/etc/hosts"],
    ["read_file", ".env"],
    ["read_file", "/home/me/.ssh/id_rsa"],
  ])("%s %s: never for good, and not among all edits", (toolName, filepath) => {
    expect(offers(toolName, { filepath })).toEqual([expect.stringMatching(/^session \w+\(.+\)$/)]);
  });

  test("a command says that its rule takes it out of the sandbox", () => {
    const { rules } = parseRules(["bash(make)"], "allow", "person", VOCABULARY);
    const labels = (command: string) =>
      offersFor(askedCall(call(command), context()), { ...context(rules), sandbox: true }).map(
        ({ label }) => label,
      );
    expect(labels("make > .git/x")).toEqual([
      "and don't ask again in this session: write(.git/x) (then it runs outside the sandbox)",
    ]);
    expect(labels("ls > .git/x")).toEqual(["and don't ask again in this session: write(.git/x)"]);
  });

  test("in an added folder as in the project", () => {
    const given = { ...context(), addedFolders: ["/lib"] };
    expect(offers("write_file", { filepath: "/lib/a.ts" }, given)).toEqual([
      "session write(/lib/a.ts)",
      "session write",
      "always write(/lib/a.ts)",
    ]);
    expect(offers("grep", { pattern: "x", directory: "/lib/.ssh" }, given)).toEqual([
      "session read(/lib/.ssh)",
    ]);
  });

  test("nothing for good where rules can't be kept", () => {
    const given = { ...context(), keepsRules: false };
    expect(offers("bash", { command: "make" }, given)).toEqual(["session bash(make)"]);
  });

  test("nothing for good or for all edits that an ask or deny rule speaks of", () => {
    const { rules } = parseRules(["write(src/**)"], "ask", "person", VOCABULARY);
    expect(offers("write_file", { filepath: "src/a.ts" }, context(rules))).toEqual([]);
  });

  test("all edits don't reach secrets, what is obeyed, or what lies outside; in added folders they do", () => {
    const { rules } = parseRules(["write"], "allow", "session", VOCABULARY);
    const given = { ...context(rules), addedFolders: ["/lib"] };
    const verdict = (filepath: string) =>
      decide(askedCall({ toolName: "write_file", args: { filepath } }, given), given).decision;
    for (const path of ["src/a.ts", "/lib/b.ts", "/lib/deep/c"])
      expect([path, verdict(path)]).toEqual([path, "allow"]);
    for (const path of [".env", ".git/hooks/x", "/lib/.vscode/tasks.json", "/library/x", "/etc/x", "../q"])
      expect([path, verdict(path)]).toEqual([path, "ask"]);
  });
});
