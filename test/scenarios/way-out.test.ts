// A command that fails for want of something that the sandbox keeps from it: the person is asked once, and what they
// say is what runs. The sandbox is a stand-in that says what it refused.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { createAgentPermission } from "../../src/app/agent-permission.ts";
import { systemClock } from "../../src/base/clock.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { settleProcesses } from "../../src/base/process-endings.ts";
import { shellProgram } from "../../src/base/shell-program.ts";
import { contentText } from "../../src/domain/content.ts";
import type { PermissionMode, PermissionQuestion, PersonAnswer } from "../../src/domain/permission.ts";
import type { Refusal, SandboxReach } from "../../src/permission/sandboxed-command.ts";
import { createTools } from "../../src/tools/catalog.ts";
import { fakeSandbox } from "../support/fake-sandbox.ts";
import { scenario } from "../support/scenario.ts";
import { tempWorkspace } from "../support/temp-workspace.ts";

const HOST = { type: "host", host: "registry.example.com", port: 443 } as const satisfies Refusal;
/** Outside, REACHED is not set. */
const INSTALL = `
echo run >> runs
if [ "$REACHED" != no ]; then echo installed; exit 0; fi
echo getaddrinfo ENOTFOUND registry.example.com
exit 1
`;
const OTHERS = {
  "slow.sh": "echo run >> runs; sleep 60",
  "other.sh": "echo run >> runs; echo ENOTFOUND other.example.com; exit 1",
  "failing.sh": "echo 1 failed; exit 1",
};
type Answers = (question: PermissionQuestion) => PersonAnswer;

interface Setup {
  readonly mode?: PermissionMode;
  readonly rules?: { readonly allow?: readonly string[]; readonly deny?: readonly string[] };
  readonly refused?: readonly Refusal[];
  /** Runs while the question is open. */
  readonly meanwhile?: (project: Project) => void;
}

interface Project extends Disposable {
  readonly workspace: ReturnType<typeof tempWorkspace>;
  readonly gate: ReturnType<typeof createAgentPermission>;
  readonly questions: PermissionQuestion[];
  readonly reaches: SandboxReach[];
  readonly ended: () => number;
  /** What the model reads, and what a person sees of it. */
  readonly run: (
    command?: string,
    more?: JsonObject,
    controller?: AbortController,
  ) => Promise<{ readonly text: string; readonly details: unknown; readonly status: string | undefined }>;
  readonly runs: () => number;
}

/** Inside, a host is reached if it is allowed. `person` answers; null: nobody is there. */
function project(person: Answers | null, setup: Setup = {}): Project {
  const { mode = "ask", rules = {}, refused = [HOST], meanwhile } = setup;
  const workspace = tempWorkspace({ "install.sh": INSTALL, "sub/install.sh": INSTALL, ...OTHERS });
  const questions: PermissionQuestion[] = [];
  const reaches: SandboxReach[] = [];
  let ended = 0;
  const askPermission = async (question: PermissionQuestion) => {
    questions.push(question);
    meanwhile?.(made);
    return person?.(question) ?? ({ type: "stop" } as const);
  };
  const gate = createAgentPermission(
    {
      cwd: workspace.root,
      env: { HOME: workspace.path("home"), PATH: "/usr/bin:/bin" },
      session: { type: "none" },
      permission: { mode, rules: [{ source: "command line", ...rules }], sandbox: "on" },
      trusted: false,
      notify: () => {},
      ...(person && {
        person: { askPermission, askToGoOn: async () => false, askAboutPlan: async () => "" },
      }),
    },
    {
      workspace,
      ripgrepPath: async () => "rg",
      readableFolders: [],
      createSandbox: async () => ({
        ...fakeSandbox(() => []),
        start: async ({ script, reach }) => {
          reaches.push(reach);
          const isOpen = reach.allowedHosts.includes(HOST.host);
          return {
            argv: [shellProgram(), "-c", script],
            env: { REACHED: isOpen ? "yes" : "no" },
            ended: async () => {
              ended++;
              return { refused: isOpen ? [] : refused, setAside: [] };
            },
          };
        },
      }),
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
  const made: Project = {
    workspace,
    gate,
    questions,
    reaches,
    ended: () => ended,
    run: async (command = "sh install.sh", more = {}, controller) => {
      const turns = [[{ call: "bash", args: { command, ...more } }], [{ text: "done" }]];
      const ports = { permit: gate.permit, clock: systemClock };
      const { messages } = await scenario(turns, tools, ports).ask(
        "go",
        controller === undefined ? {} : { controller },
      );
      const part = messages
        .flatMap(({ parts }) => [...parts])
        .findLast((each) => each.kind === "tool-return");
      if (part?.kind !== "tool-return") throw new Error("there is no return");
      return { text: contentText(part.content), details: part.details, status: part.status };
    },
    runs: () => {
      const file = workspace.path("runs");
      return existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : 0;
    },
    [Symbol.dispose]: workspace[Symbol.dispose],
  };
  return made;
}

const yes: Answers = () => ({ type: "once" });
const no: Answers = () => ({ type: "deny", words: "use the vendored copy" });

/** Takes the first offer of this kind. */
function take(where: "inside" | "outside", lasts: string): Answers {
  return ({ offers }) => ({
    type: "offer",
    offer: offers.findIndex((each) => each.lasts === lasts && each.label.startsWith(where)),
  });
}

describe("the question", () => {
  test("says what was missing, that it ran in part, and what a yes means", async () => {
    using set = project(no);
    await set.run("sh install.sh 2>&1 | tail -3");
    expect(set.questions).toHaveLength(1);
    expect(set.questions[0]).toMatchObject({
      toolName: "bash",
      args: { command: "sh install.sh 2>&1 | tail -3" },
      label: { verb: "Run", subject: "sh install.sh 2>&1 | tail -3" },
      title: expect.stringContaining("outside?"),
      command: {
        script: "sh install.sh 2>&1 | tail -3",
        env: {},
        folder: set.workspace.root,
        sandboxed: false,
      },
      decision: {
        decision: "ask",
        reason: expect.stringMatching(/could not reach registry\.example\.com.*stays done/),
        sandboxed: false,
      },
    });
  });

  test("shows the call's own folder and variables", async () => {
    using set = project(no);
    await set.run("sh install.sh", { cwd: "sub", env: { A: "b" } });
    expect(set.questions[0]).toMatchObject({
      args: { cwd: "sub", env: { A: "b" } },
      command: { folder: set.workspace.path("sub"), env: { A: "b" } },
    });
  });

  test.each(["ask", "auto-edit", "auto"] as const)("goes to the person in the mode %s", async (mode) => {
    using set = project(yes, { mode });
    expect((await set.run()).text).toContain("installed");
    expect(set.questions).toHaveLength(1);
  });

  test("is not asked about a command that works, or fails for another reason", async () => {
    using set = project(yes);
    await set.run("sh -c 'echo fine'");
    await set.run("sh failing.sh");
    await set.run("grep -r ENOTFOUND . | head -1");
    expect(set.questions).toEqual([]);
  });
});

describe("after a yes", () => {
  test("it runs once more, outside, and the model gets that result", async () => {
    using set = project(yes);
    const { text, details, status } = await set.run();
    expect(text).toStartWith("installed\n[Exit code 0");
    expect(text).toContain(
      "It ran twice: first inside the sandbox, where it could not reach registry.example.com",
    );
    expect([details, status]).toEqual([
      expect.objectContaining({ exitCode: 0, sandboxed: false }),
      undefined,
    ]);
    expect([set.runs(), set.ended(), set.reaches.length]).toEqual([2, 1, 1]);
    // It was for this time.
    await set.run();
    expect(set.questions).toHaveLength(2);
  });

  test("with the host open this time, it runs inside, and the next one is asked about", async () => {
    using set = project(take("inside", "once"));
    const { text, details } = await set.run();
    expect(text).toStartWith("installed");
    expect(details).toMatchObject({ sandboxed: true });
    expect(set.reaches.map(({ allowedHosts }) => allowedHosts)).toEqual([[], [HOST.host]]);
    await set.run();
    expect([set.questions.length, set.ended()]).toEqual([2, 4]);
  });

  test.each(["session", "always"])(
    "with the host open for %s, the next one is not asked about",
    async (lasts) => {
      using set = project(take("inside", lasts));
      expect((await set.run()).text).toStartWith("installed");
      expect((await set.run()).text).toStartWith("installed");
      expect(set.questions).toHaveLength(1);
    },
  );

  test("with a rule for the command, the next one runs outside", async () => {
    using set = project(take("outside", "session"));
    expect((await set.run()).details).toMatchObject({ sandboxed: false });
    expect((await set.run()).details).toMatchObject({ sandboxed: false });
    expect([set.questions.length, set.reaches.length]).toEqual([1, 1]);
  });

  test("it is not asked a second time, whatever the second run lacks", async () => {
    using set = project(take("inside", "once"), {
      refused: [{ type: "host", host: "other.example.com", port: 443 }],
    });
    const { text } = await set.run("sh other.sh");
    expect([set.questions.length, set.runs()]).toEqual([1, 2]);
    expect(text).toContain("The second time, it could not reach");
  });

  test.each<[string, NonNullable<Setup["meanwhile"]>]>([
    ["the mode became read-only", ({ gate }) => gate.setMode("read-only")],
    [
      "its folder was replaced by a link",
      ({ workspace }) => {
        renameSync(workspace.path("sub"), workspace.path("moved"));
        symlinkSync(workspace.path("moved"), workspace.path("sub"));
      },
    ],
  ])("it doesn't run if meanwhile %s", async (_, meanwhile) => {
    using set = project(yes, { meanwhile });
    const { text } = await set.run("sh ../install.sh", { cwd: "sub" });
    expect(text).not.toContain("installed");
    const runs = [set.workspace.path("sub/runs"), set.workspace.path("moved/runs")].find((path) =>
      existsSync(path),
    );
    expect(readFileSync(runs ?? "", "utf8")).toBe("run\n");
  });
});

describe("without a yes", () => {
  test("a no leaves the result as it is, with the person's words", async () => {
    using set = project(no);
    const { text, details, status } = await set.run();
    expect(text).toStartWith("getaddrinfo ENOTFOUND");
    expect(text).toContain("said no: use the vendored copy");
    expect([details, status]).toEqual([expect.objectContaining({ exitCode: 1, sandboxed: true }), "failed"]);
    expect([set.runs(), set.ended()]).toEqual([1, 1]);
  });

  test("stopping ends the request", async () => {
    using set = project(() => ({ type: "stop" }));
    expect((await set.run()).status).toBe("cancelled");
    expect([set.runs(), set.ended()]).toEqual([1, 1]);
  });

  test("nobody is there: the model and the person read what was missing and what would help", async () => {
    using set = project(null);
    const { text, details } = await set.run();
    const remark =
      "Nobody can be asked here. The person can allow it with --allow 'connect(registry.example.com)'";
    expect(text).toContain(remark);
    expect(JSON.stringify(details)).toContain(remark);
    using open = project(null, { rules: { allow: ["connect(registry.example.com)"] } });
    expect((await open.run()).text).toStartWith("installed");
  });

  test("what a rule forbids is not asked about", async () => {
    using set = project(yes, { rules: { deny: ["connect(registry.example.com)"] } });
    expect((await set.run()).text).toContain("registry.example.com (forbidden)");
    expect([set.questions.length, set.runs()]).toEqual([0, 1]);
  });

  test("an abort during the command or the question ends it, and what started is looked after once", async () => {
    for (const command of ["sh slow.sh", "sh install.sh"]) {
      const abort = new AbortController();
      using set = project(yes, { meanwhile: () => abort.abort() });
      setTimeout(() => abort.abort(), command === "sh install.sh" ? 5_000 : 500);
      expect((await set.run(command, {}, abort)).status).toBe("cancelled");
      await settleProcesses();
      expect([set.runs(), set.ended()]).toEqual([1, 1]);
    }
  });
});
