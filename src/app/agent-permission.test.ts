import { expect, test } from "bun:test";
import { catalogTool } from "../../test/support/bound-tool.ts";
import { fakeSandbox, NOTHING_NOTICED } from "../../test/support/fake-sandbox.ts";
import { tempWorkspace } from "../../test/support/temp-workspace.ts";
import { defined } from "../base/defined.ts";
import type { PermissionMode } from "../domain/permission.ts";
import { createAgentPermission } from "./agent-permission.ts";
import type { AgentSettings } from "./settings.ts";

/** A permission on a machine where the sandbox can't start, and nobody is there to be asked. */
function gateWithout(sandbox: AgentSettings["permission"]["sandbox"], mode: PermissionMode) {
  const workspace = tempWorkspace({ "a.txt": "a" });
  const told: string[] = [];
  const permission = createAgentPermission(
    {
      cwd: workspace.root,
      env: { HOME: workspace.path("home"), PATH: "/usr/bin:/bin" },
      session: { type: "none" },
      permission: { mode, rules: [], sandbox },
      trusted: false,
      notify: (text) => told.push(text),
    },
    {
      workspace,
      ripgrepPath: () => Promise.reject(new Error("there is no ripgrep")),
      readableFolders: [],
      review: async () => "allow",
    },
  );
  const ask = async (toolName: string, args: Record<string, string>) => {
    const call = { kind: "tool-call" as const, toolCallId: "a", toolName, args };
    return (await permission.permit(call, catalogTool(toolName, { workspace }), new AbortController().signal))
      .type;
  };
  return { ask, told, [Symbol.dispose]: workspace[Symbol.dispose] };
}

test("if a demanded sandbox can't start, the person is told once, and commands are asked about instead", async () => {
  for (const mode of ["ask", "auto", "yolo"] as const) {
    using permission = gateWithout("on", mode);
    expect(await permission.ask("bash", { command: "make" })).toBe("deny");
    expect(await permission.ask("bash", { command: "make test" })).toBe("deny");
    expect(await permission.ask("bash", { command: "ls" })).toBe("allow");
    expect(await permission.ask("write_file", { filepath: "x" })).toBe(mode === "ask" ? "deny" : "allow");
    expect(permission.told).toEqual([expect.stringContaining("no sandbox")]);
  }
});

test("a missing sandbox that nobody demanded is not mentioned", async () => {
  using permission = gateWithout("auto", "ask");
  expect(await permission.ask("bash", { command: "make" })).toBe("deny");
  using free = gateWithout("off", "yolo");
  expect(await free.ask("bash", { command: "make" })).toBe("allow");
  expect([...permission.told, ...free.told]).toEqual([]);
});

test("in yolo mode a sandbox that an earlier command used isn't used any more, unless it was demanded", async () => {
  using workspace = tempWorkspace();
  for (const sandbox of ["auto", "on"] as const) {
    const { permit, setMode } = createAgentPermission(
      {
        cwd: workspace.root,
        env: { HOME: workspace.path("home"), PATH: "/usr/bin:/bin" },
        session: { type: "none" },
        permission: { mode: "ask", rules: [], sandbox },
        trusted: false,
        notify: () => {},
      },
      {
        workspace,
        ripgrepPath: async () => "rg",
        readableFolders: [],
        createSandbox: async () => fakeSandbox(() => []),
      },
    );
    const run = () => {
      const call = {
        kind: "tool-call" as const,
        toolCallId: "a",
        toolName: "bash",
        args: { command: "make" },
      };
      return permit(call, catalogTool("bash", { workspace }), new AbortController().signal);
    };
    expect(await run()).toMatchObject({ type: "allow", grant: { sandboxed: true } });
    setMode("yolo");
    expect(await run()).toMatchObject({ type: "allow", grant: { sandboxed: sandbox === "on" } });
    setMode("ask");
    expect(await run()).toMatchObject({ type: "allow", grant: { sandboxed: true } });
  }
});

test("a home folder that is kept in git doesn't make everything in it the project", async () => {
  using home = tempWorkspace({ ".git/HEAD": "", "work/a.txt": "a", "other/b.txt": "b" });
  const sandboxRoots: string[] = [];
  const { permit } = createAgentPermission(
    {
      cwd: home.path("work"),
      env: { HOME: home.root, PATH: "/usr/bin:/bin" },
      session: { type: "none" },
      permission: { mode: "auto-edit", rules: [], sandbox: "on" },
      trusted: false,
      notify: () => {},
    },
    {
      workspace: home,
      ripgrepPath: async () => "rg",
      readableFolders: [],
      createSandbox: async ({ root }) => {
        sandboxRoots.push(root);
        return { ...fakeSandbox(() => []), available: false };
      },
    },
  );
  const ask = async (toolName: string, args: Record<string, string>) => {
    const call = { kind: "tool-call" as const, toolCallId: "a", toolName, args };
    const tool = catalogTool(toolName, { workspace: home });
    return (await permit(call, tool, new AbortController().signal)).type;
  };
  expect(await ask("write_file", { filepath: home.path("work/new.txt"), content: "" })).toBe("allow");
  expect(await ask("write_file", { filepath: home.path("other/new.txt"), content: "" })).toBe("deny");
  await ask("bash", { command: "make" });
  expect(sandboxRoots).toEqual([home.path("work")]);
});

test("an added folder is judged like the project, and the sandbox may write there", async () => {
  using home = tempWorkspace({ "work/a.txt": "a", "library/b.txt": "b", "third/c.txt": "c" });
  const writable: (readonly string[])[] = [];
  const { permit, folders, shell } = createAgentPermission(
    {
      cwd: home.path("work"),
      env: { HOME: home.root, PATH: "/usr/bin:/bin" },
      session: { type: "none" },
      permission: { mode: "auto-edit", rules: [], sandbox: "on", addedFolders: [home.path("library")] },
      trusted: false,
      notify: () => {},
    },
    {
      workspace: home,
      ripgrepPath: async () => "rg",
      readableFolders: [],
      createSandbox: async () => ({
        ...fakeSandbox(() => []),
        start: async ({ reach }) => {
          writable.push(reach.writableFolders);
          return { argv: [], ended: async () => NOTHING_NOTICED };
        },
      }),
    },
  );
  const { signal } = new AbortController();
  const ask = async (toolName: string, args: Record<string, string>) => {
    const call = { kind: "tool-call" as const, toolCallId: "a", toolName, args };
    return (await permit(call, catalogTool(toolName, { workspace: home }), signal)).type;
  };
  const write = (path: string) => ask("write_file", { filepath: home.path(path), content: "" });
  const asked = { toolName: "bash", args: {}, label: { verb: "", subject: "" } };
  const start = () => shell("make", { folder: home.path("work"), sandboxed: true, asked }, signal);
  expect([await write("library/new"), await write("third/new")]).toEqual(["allow", "deny"]);
  await ask("bash", { command: "make" });
  await start();
  expect(folders.add("../third")).toBe(home.path("third"));
  expect([await write("third/new"), await write("third/.vscode/tasks.json")]).toEqual(["allow", "deny"]);
  await start();
  expect(writable).toEqual([[home.path("library")], [home.path("library"), home.path("third")]]);
  expect(folders.list()).toEqual([home.path("library"), home.path("third")]);
});

test("in a project that the sandbox can't guard as a whole, commands are asked about, and the person is told once", async () => {
  using project = tempWorkspace({ "a.txt": "a" });
  const told: string[] = [];
  let gap: string | null = null;
  const { permit } = createAgentPermission(
    {
      cwd: project.root,
      env: { HOME: "/nonexistent", PATH: "/usr/bin:/bin" },
      session: { type: "none" },
      permission: { mode: "ask", rules: [], sandbox: "auto" },
      trusted: false,
      notify: (text) => told.push(text),
    },
    {
      workspace: project,
      ripgrepPath: async () => "rg",
      readableFolders: [],
      createSandbox: async () => ({ ...fakeSandbox(() => []), gap: async () => gap }),
    },
  );
  const make = async () => {
    const call = { kind: "tool-call" as const, toolCallId: "a", toolName: "bash", args: { command: "make" } };
    return (await permit(call, catalogTool("bash", { workspace: project }), new AbortController().signal))
      .type;
  };
  expect(await make()).toBe("allow");
  gap = "It is too large.";
  expect([await make(), await make()]).toEqual(["deny", "deny"]);
  expect(told).toEqual(["Commands don't run in the sandbox here. It is too large."]);
  gap = null;
  expect(await make()).toBe("allow");
});

test("a person who switches to yolo leaves a sandbox that nobody demanded", async () => {
  for (const [sandbox, inside] of [
    ["auto", [true, false, true]],
    ["on", [true, true, true]],
  ] as const) {
    using project = tempWorkspace({ "a.txt": "a" });
    const { permit, setMode } = createAgentPermission(
      {
        cwd: project.root,
        env: { HOME: "/nonexistent", PATH: "/usr/bin:/bin" },
        session: { type: "none" },
        permission: { mode: "ask", rules: [], sandbox },
        trusted: false,
        notify: () => {},
      },
      {
        workspace: project,
        ripgrepPath: async () => "rg",
        readableFolders: [],
        createSandbox: async () => fakeSandbox(() => []),
      },
    );
    const call = { kind: "tool-call" as const, toolCallId: "a", toolName: "bash", args: { command: "make" } };
    const found: boolean[] = [];
    for (const mode of ["ask", "yolo", "ask"] as const) {
      setMode(mode);
      const { signal } = new AbortController();
      const answer = await permit(call, catalogTool("bash", { workspace: project }), signal);
      if (answer.type === "allow") found.push(answer.grant?.sandboxed === true);
    }
    expect(found).toEqual([...inside]);
  }
});

test("what undo brings back runs unasked in auto-edit, but not while that isn't known", async () => {
  using project = tempWorkspace({ "a.txt": "a", "node_modules/x.js": "x" });
  const known = async () => ({
    firstUncovered: (path: string) => (path.includes("node_modules") ? "node_modules" : null),
  });
  const decided = async (command: string, coverage: typeof known | (() => Promise<null>) | undefined) => {
    const { permit } = createAgentPermission(
      {
        cwd: project.root,
        env: { HOME: "/nonexistent", PATH: "/usr/bin:/bin" },
        session: { type: "none" },
        permission: { mode: "auto-edit", rules: [], sandbox: "on" },
        trusted: false,
        notify: () => {},
      },
      {
        workspace: project,
        ripgrepPath: async () => "rg",
        readableFolders: [],
        createSandbox: async () => fakeSandbox(() => []),
        ...defined({ coverage }),
      },
    );
    const call = { kind: "tool-call" as const, toolCallId: "a", toolName: "bash", args: { command } };
    return permit(call, catalogTool("bash", { workspace: project }), new AbortController().signal);
  };
  expect(await decided("rm a.txt", known)).toMatchObject({ type: "allow", grant: { sandboxed: true } });
  expect(await decided("rm -r node_modules", known)).toMatchObject({
    type: "deny",
    reason: expect.stringContaining("Undo would not bring back node_modules."),
  });
  expect(await decided("rm a.txt", undefined)).toMatchObject({ type: "deny" });
  expect(await decided("rm a.txt", async () => null)).toMatchObject({ type: "deny" });
  expect(await decided("make", async () => null)).toMatchObject({ type: "allow" });
});
