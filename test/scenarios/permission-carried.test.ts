// What was decided about a call is what happens, no matter what changes between the decision and the start: the mode,
// the folder, a symlink, the arguments. The sandbox is a stand-in that only records that it was used.

import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";
import { createAgentPermission } from "../../src/app/agent-permission.ts";
import type { RequestOptions } from "../../src/app/run-request.ts";
import { systemClock } from "../../src/base/clock.ts";
import { shellProgram } from "../../src/base/shell-program.ts";
import { contentText } from "../../src/domain/content.ts";
import type { ToolReturnPart } from "../../src/domain/part.ts";
import type { PermissionMode, PermissionQuestion, PersonAnswer } from "../../src/domain/permission.ts";
import type { ScriptedStep } from "../../src/models/scripted.ts";
import type { SandboxReach } from "../../src/permission/sandboxed-command.ts";
import { createTools } from "../../src/tools/catalog.ts";
import { fakeSandbox } from "../support/fake-sandbox.ts";
import { seededRandom } from "../support/random.ts";
import { scenario } from "../support/scenario.ts";
import { tempWorkspace } from "../support/temp-workspace.ts";

const MODES = ["ask", "auto-edit", "read-only"] as const satisfies readonly PermissionMode[];

interface Project extends Disposable {
  readonly workspace: ReturnType<typeof tempWorkspace>;
  readonly outside: ReturnType<typeof tempWorkspace>;
  readonly gate: ReturnType<typeof createAgentPermission>;
  readonly questions: PermissionQuestion[];
  /** What each command in the sandbox may reach. */
  readonly reaches: SandboxReach[];
  /** One request that makes these calls one after the other. */
  readonly run: (calls: readonly ScriptedStep[], options?: RequestOptions) => Promise<ToolReturnPart[]>;
}

/** `person` answers every question. Without one, nobody is there. */
function project(
  mode: PermissionMode,
  person?: (question: PermissionQuestion) => PersonAnswer,
  deny: readonly string[] = [],
): Project {
  const workspace = tempWorkspace({ "a.txt": "in the project\n" });
  const outside = tempWorkspace({ "a.txt": "first\n", "b.txt": "second\n" });
  const questions: PermissionQuestion[] = [];
  const reaches: SandboxReach[] = [];
  const ask = async (question: PermissionQuestion) => {
    questions.push(question);
    return person?.(question) ?? ({ type: "stop" } as const);
  };
  const gate = createAgentPermission(
    {
      cwd: workspace.root,
      env: { HOME: workspace.path("home"), PATH: "/usr/bin:/bin" },
      session: { type: "none" },
      permission: { mode, rules: [{ source: "person", deny }], sandbox: "auto" },
      trusted: false,
      notify: () => {},
      ...(person && {
        person: { askPermission: ask, askToGoOn: async () => false, askAboutPlan: async () => "" },
      }),
    },
    {
      workspace,
      ripgrepPath: async () => "rg",
      readableFolders: [],
      createSandbox: async () => {
        const sandbox = fakeSandbox((script) => [shellProgram(), "-c", `INSIDE=yes; ${script}`]);
        return {
          ...sandbox,
          start: (command, signal) => {
            reaches.push(command.reach);
            return sandbox.start(command, signal);
          },
        };
      },
    },
  );
  const tools = createTools({
    workspace,
    shell: gate.shell,
    ripgrepPath: async () => "rg",
    research: async () => "",
    presentPlan: async () => "",
    spillFolder: async () => workspace.root,
    mask: (text) => text,
  });
  const run: Project["run"] = async (calls, options) => {
    const turns = [...calls.map((call) => [call]), [{ text: "done" }]];
    const { messages } = await scenario(turns, tools, { permit: gate.permit, clock: systemClock }).ask(
      "go",
      options,
    );
    return messages.flatMap((message) =>
      message.kind === "request" ? message.parts.filter((part) => part.kind === "tool-return") : [],
    );
  };
  const dispose = () => {
    workspace[Symbol.dispose]();
    outside[Symbol.dispose]();
  };
  return { workspace, outside, gate, questions, reaches, run, [Symbol.dispose]: dispose };
}

const shell = (command: string, more = {}): ScriptedStep => ({ call: "bash", args: { command, ...more } });
const yes = (): PersonAnswer => ({ type: "once" });
const textOf = (part: ToolReturnPart | undefined) => contentText(part?.content ?? "");
const WHERE = "echo inside=$INSIDE";

describe.each(MODES)("in mode %s", (mode) => {
  const mayWrite = mode !== "read-only";

  test("a command that was allowed inside runs inside, though the mode turns read-only before it starts", async () => {
    using set = project(mode, yes);
    const beforeExecute = async () => {
      set.gate.setMode("read-only");
      return undefined;
    };
    const [first, second] = await set.run([shell(`${WHERE}; touch made`), shell("touch more")], {
      beforeExecute,
    });
    expect(existsSync(set.workspace.path("made"))).toBe(mayWrite);
    if (mayWrite) {
      expect(textOf(first)).toStartWith("inside=yes");
      expect(first?.details).toMatchObject({ type: "command", exitCode: 0, sandboxed: true });
    } else expect(first?.details).toEqual({ type: "refusal", by: "rule" });
    // The new mode applies from the next call on.
    expect(second?.details).toEqual({ type: "refusal", by: "rule" });
    expect(existsSync(set.workspace.path("more"))).toBe(false);
    expect(set.questions).toEqual([]);
  });

  test("a command that a person approved with its variables stays inside, with them", async () => {
    using set = project(mode, yes);
    const [ran] = await set.run([
      shell(`${WHERE} word=$WORD; touch made; rm a.txt`, { env: { WORD: "hello" } }),
    ]);
    expect(set.questions.length).toBe(mayWrite ? 1 : 0);
    expect(existsSync(set.workspace.path("made"))).toBe(mayWrite);
    if (!mayWrite) return;
    expect(textOf(ran)).toStartWith("inside=yes word=hello");
    expect(ran?.details).toMatchObject({ sandboxed: true });
    expect(set.questions[0]?.command?.sandboxed).toBe(true);
  });

  test("what can only work outside is asked about and runs outside, what deletes stays inside", async () => {
    using set = project(mode, yes);
    const where = (command: string) => shell(`${command}; ${WHERE}`);
    const returns = await set.run([where("git init -q ."), where("git add a.txt"), where("rm a.txt")]);
    expect(set.questions.length).toBe(mayWrite ? 3 : 0);
    expect(set.questions.map(({ command }) => command?.sandboxed)).toEqual(
      mayWrite ? [false, false, true] : [],
    );
    if (mayWrite)
      expect(returns.map(textOf).map((text) => /inside=\w*/.exec(text)?.[0])).toEqual([
        "inside=",
        "inside=",
        "inside=yes",
      ]);
    expect(existsSync(set.workspace.path("a.txt"))).toBe(!mayWrite);
  });

  test("three unasked calls don't leave the sandbox: a folder that is gone is judged as the one that is used", async () => {
    using set = project(mode);
    const returns = await set.run([
      shell("mkdir -p gone && cd gone"),
      shell("python3 -c 'import os; os.rmdir(\"gone\")'", { cwd: set.workspace.root }),
      shell(`cat ../../x; ${WHERE}; python3 --version`),
      shell(`${WHERE}; touch made`),
    ]);
    const [, , third, fourth] = returns;
    // Judged in the project's folder, it would read outside the project, which needs a person.
    expect(third?.details).toMatchObject({ type: "refusal" });
    for (const { details } of returns) if (details?.type === "command") expect(details.sandboxed).toBe(true);
    if (mayWrite) {
      expect(textOf(fourth)).toStartWith("inside=yes");
      expect(textOf(fourth)).toContain("gone is gone; the command ran in");
    }
    expect(existsSync(set.workspace.path("made"))).toBe(mayWrite);
  });

  test("a command whose folder is removed while the question waits does not run", async () => {
    const answer = (): PersonAnswer => {
      rmSync(set.workspace.path("sub"), { recursive: true });
      return { type: "once" };
    };
    using set = project(mode, answer);
    mkdirSync(set.workspace.path("sub"));
    const made = set.workspace.path("made");
    const [failed] = await set.run([shell(`touch ${made}; rm x`, { cwd: "sub" })]);
    expect(set.questions.length).toBe(mayWrite ? 1 : 0);
    expect(failed).toMatchObject({ status: "failed" });
    if (mayWrite) expect(textOf(failed)).toContain("sub doesn't exist");
    expect(existsSync(made)).toBe(false);
  });

  test("a file is not read through a link that was swapped while the question waited", async () => {
    const answer = (): PersonAnswer => {
      rmSync(set.workspace.path("link"));
      symlinkSync(set.outside.path("b.txt"), set.workspace.path("link"));
      return { type: "once" };
    };
    using set = project(mode, answer);
    symlinkSync(set.outside.path("a.txt"), set.workspace.path("link"));
    const [failed] = await set.run([{ call: "read_file", args: { filepath: "link" } }]);
    expect(set.questions.length).toBe(1);
    expect(failed).toMatchObject({ status: "failed" });
    expect(textOf(failed)).toContain("when it was permitted, but no longer does");
    expect(textOf(failed)).not.toContain("second");
  });

  test("a file is not written through a link that was swapped after the decision", async () => {
    using set = project(mode, yes);
    mkdirSync(set.workspace.path("one"));
    symlinkSync(set.workspace.path("one"), set.workspace.path("link"));
    const swap = async () => {
      rmSync(set.workspace.path("link"));
      symlinkSync(set.outside.root, set.workspace.path("link"));
      return undefined;
    };
    const call = { call: "write_file", args: { filepath: "link/new.txt", content: "x" } };
    const [failed] = await set.run([call], { beforeExecute: swap });
    expect(failed).toMatchObject({ status: "failed" });
    expect(existsSync(set.outside.path("new.txt"))).toBe(false);
    expect(existsSync(set.workspace.path("one/new.txt"))).toBe(false);
  });

  test("a yes comes too late when the mode has turned read-only meanwhile", async () => {
    const answer = (): PersonAnswer => {
      set.gate.setMode("read-only");
      return { type: "once" };
    };
    using set = project(mode, answer);
    const [refused] = await set.run([shell("touch made; rm a.txt")]);
    expect(refused?.details).toEqual({ type: "refusal", by: "rule" });
    expect(existsSync(set.workspace.path("made"))).toBe(false);
  });

  test("arguments that a hook changes are a new decision", async () => {
    using set = project(mode);
    const elsewhere = set.outside.path("a.txt");
    const beforeExecute = async () => ({ filepath: elsewhere });
    const [refused] = await set.run([{ call: "read_file", args: { filepath: "a.txt" } }], { beforeExecute });
    expect(refused?.details).toEqual({ type: "refusal", by: "rule", unasked: true });
    expect(textOf(refused)).not.toContain("first");
  });
});

test("arguments that are changed again and again end in a failure", async () => {
  using set = project("ask");
  let count = 0;
  const beforeExecute = async () => ({ filepath: "a.txt", offset: ++count });
  const [failed] = await set.run([{ call: "read_file", args: { filepath: "a.txt" } }], { beforeExecute });
  expect(textOf(failed)).toContain("changed again and again");
  using other = project("ask");
  const once = async () => ({ filepath: "a.txt", offset: 1, limit: 1 });
  const [read] = await other.run([{ call: "read_file", args: { filepath: "nope" } }], {
    beforeExecute: once,
  });
  expect(textOf(read)).toContain("in the project");
});

test("arguments that a person changes are a new decision, about what will run", async () => {
  const changed = { filepath: "other", content: "x" };
  const said: PersonAnswer[] = [{ type: "changed", args: changed }, { type: "once" }];
  using set = project("ask", () => said.shift() ?? { type: "stop" });
  const [done] = await set.run([{ call: "write_file", args: { filepath: "made", content: "x" } }]);
  expect(set.questions.map(({ args }) => args["filepath"])).toEqual(["made", "other"]);
  expect(done?.status).toBeUndefined();
  expect(existsSync(set.workspace.path("other"))).toBe(true);
  expect(existsSync(set.workspace.path("made"))).toBe(false);
});

test("arguments that a hook changes have to fit the tool", async () => {
  using set = project("ask");
  const beforeExecute = async () => ({ filepath: 5 });
  const [failed] = await set.run([{ call: "read_file", args: { filepath: "a.txt" } }], { beforeExecute });
  expect(textOf(failed)).toContain("filepath: expected a string, got 5");
});

describe("a question about an edit", () => {
  const edit = (filepath: string, old_text: string) =>
    ({ call: "update_file", args: { filepath, old_text, new_text: "on the moon" } }) as const;

  test("shows the real change, with lines around it and their numbers", async () => {
    using set = project("ask", yes);
    set.workspace.write("b.txt", "one\ntwo\nthree\nfour\nfive\nsix\n");
    await set.run([edit("b.txt", "five")]);
    const diff = "@@ -2,5 +2,5 @@\n two\n three\n four\n-five\n+on the moon\n six";
    expect(set.questions).toMatchObject([
      { title: "May this file be edited?", label: { verb: "Edit", subject: "b.txt" } },
    ]);
    expect(set.questions[0]?.preview).toEqual({ type: "diff", diff, numbered: true });
  });

  test("that can't work is not asked: the call fails, and the model reads why", async () => {
    using set = project("ask", yes);
    const [failed] = await set.run([edit("a.txt", "not there")]);
    expect(set.questions).toEqual([]);
    expect(failed).toMatchObject({ status: "failed" });
    expect(failed?.details).toBeUndefined();
    expect(textOf(failed)).toStartWith("update_file failed: ");
  });

  test("that can't work for another reason is not asked either", async () => {
    using set = project("ask", yes);
    mkdirSync(set.workspace.path("folder"));
    set.workspace.write("twice.txt", "same\nsame\n");
    set.workspace.write("binary", new Uint8Array([1, 0, 2]));
    const write = (filepath: string) => ({ call: "write_file", args: { filepath, content: "x" } }) as const;
    const reasons: readonly (readonly [ScriptedStep, string])[] = [
      [edit("nope.txt", "x"), "nope.txt"],
      [edit("folder", "x"), "is a directory"],
      [edit("twice.txt", "same"), "2 places"],
      [edit("binary", "x"), "binary"],
      [edit("a.txt", "on the moon"), "the same"],
      [edit("a.txt", ""), "old_text is empty"],
      [edit("a.txt/b.txt", "x"), "a.txt"],
      [write("folder"), "is a directory"],
      [write("a.txt"), "was not read yet"],
      [write("a.txt/b.txt"), "a.txt"],
    ];
    for (const [step, reason] of reasons) {
      const [failed] = await set.run([step]);
      expect(textOf(failed)).toContain(reason);
      expect(failed).toMatchObject({ status: "failed" });
    }
    await set.run([{ call: "read_file", args: { filepath: "a.txt" } }]);
    set.workspace.write("a.txt", "changed meanwhile\n");
    const [outdated] = await set.run([write("a.txt")]);
    expect(textOf(outdated)).toContain("changed since it was read");
    expect(set.questions).toEqual([]);
  });

  test("tells how long a new file is, and where a symlink leads", async () => {
    using set = project("ask", yes);
    symlinkSync(set.outside.path("a.txt"), set.workspace.path("link"));
    const write = (filepath: string) =>
      ({ call: "write_file", args: { filepath, content: "x\r\ny\r\n" } }) as const;
    await set.run([write("new/file.txt"), write("link")]);
    expect(set.questions.map(({ preview }) => preview)).toMatchObject([
      {
        diff: "@@ -0,0 +1,2 @@\n+x\n+y",
        remarks: ["A new file of 2 lines, 6 bytes.", "Every line ends with U+000D U+000A."],
      },
      { type: "failure" },
    ]);
    await set.run([edit("link", "first")]);
    expect(set.questions.at(-1)?.preview).toMatchObject({
      remarks: [`It leads to ${set.outside.path("a.txt")}`],
    });
  });

  test("is still asked if the reason would reveal something about a file that may not be read", async () => {
    using set = project("ask", () => ({ type: "deny" }));
    set.workspace.write(".env", "KEY=secret-value\n");
    const [refused] = await set.run([edit(".env", "KEY=guess")]);
    expect(set.questions.length).toBe(1);
    expect(refused?.details).toEqual({ type: "refusal", by: "person" });
    expect(textOf(refused)).not.toContain("secret-value");
  });
});

const LONG = process.env["TUNACODE_LONG"] === "1";

test("folders that come and go never mean outside, and nothing runs elsewhere than it was judged", async () => {
  const random = seededRandom(LONG ? Date.now() : 1);
  const names = ["one", "one/two", "three"];
  for (let round = 0; round < (LONG ? 300 : 12); round++) {
    using set = project(random.pick(["ask", "auto-edit"]));
    const { root } = set.workspace;
    // Between the decision and the start, somebody removes, replaces or makes folders.
    const disturb = async () => {
      const path = set.workspace.path(random.pick(names));
      if (random.below(3) > 0) rmSync(path, { recursive: true, force: true });
      if (random.below(2) === 0 && existsSync(dirname(path)) && !existsSync(path))
        random.below(2) === 0 ? mkdirSync(path) : symlinkSync(set.outside.root, path);
      return undefined;
    };
    const calls = Array.from({ length: 6 }, () => {
      const name = random.pick(names);
      const command = random.pick([
        `mkdir -p ${name} && cd ${name}`,
        `cd ${name}; ${WHERE}; pwd -P`,
        `${WHERE}; touch made-here; pwd -P`,
        `cat ../x; ${WHERE}; touch made-here`,
        `cd /; cd ${root}/${name} && touch made-here`,
      ]);
      return shell(command, random.below(3) === 0 ? { cwd: name } : {});
    });
    const returns = await set.run(calls, { beforeExecute: disturb });
    for (const { details, content } of returns) {
      if (details?.type === "command") expect(details.sandboxed).toBe(true);
      expect(contentText(content)).not.toMatch(/inside=$/m);
    }
  }
}, 120_000);

test("files that rules forbid are hidden from whatever runs in the sandbox, as they are when it starts", async () => {
  using set = project("ask", undefined, ["read(kept/**)", "write(a.txt)", "connect(evil.example)"]);
  await set.run([
    shell("python3 --version; make"),
    shell('python3 -c \'import os; os.mkdir("ke" + "pt")\''),
    shell("make"),
  ]);
  const kept = set.workspace.path("kept");
  const unwritable = [set.workspace.path("a.txt")];
  expect(set.reaches).toMatchObject([
    { unreadable: [], unwritable, deniedHosts: ["evil.example"] },
    { unreadable: [], unwritable },
    { unreadable: [kept], unwritable },
  ]);
});
