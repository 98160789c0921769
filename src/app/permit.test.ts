import { expect, test } from "bun:test";
import { VOCABULARY } from "../../test/support/asked-call.ts";
import { catalogTool } from "../../test/support/bound-tool.ts";
import { fakeDisk } from "../../test/support/fake-disk.ts";
import { fakeSandbox, shellWith } from "../../test/support/fake-sandbox.ts";
import type { PermissionContext } from "../permission/context.ts";
import { createPermit } from "../permission/permit.ts";
import { parseRules } from "../permission/rules.ts";
import type { ShellPlace } from "../tools/ports.ts";
import { createPermissionContext, permissionRoot, sandboxHosts } from "./permit.ts";

const signal = new AbortController().signal;
const sandbox = fakeSandbox((command) => ["sandbox", command]);

function context(allow: readonly string[], inSandbox = true): PermissionContext {
  const { rules } = parseRules(allow, "allow", "person", VOCABULARY);
  const workspace = { root: "/p", cwd: "/p" };
  return {
    mode: "ask",
    rules,
    vocabulary: VOCABULARY,
    workspace,
    home: "/h",
    trusted: false,
    sandbox: inSandbox,
    disk: fakeDisk({}),
    environment: {},
  };
}

const PLACE: ShellPlace = {
  folder: "/p",
  sandboxed: true,
  asked: { toolName: "bash", args: {}, label: { verb: "Run", subject: "make" } },
};

test.each<[string, readonly string[], boolean]>([
  ["make", [], true],
  ["ls", [], true],
  ["make", ["bash(make)"], false],
  ["make && npm x", ["bash(make)"], true],
])("%s with %j is granted inside the sandbox: %p", async (command, allow, sandboxed) => {
  const workspace = { root: "/p", cwd: () => "/p", setCwd: () => {} };
  const tool = catalogTool("bash", { workspace });
  const permit = createPermit({ context: async () => context(allow), ask: null, remember: () => {} });
  const call = { kind: "tool-call", toolCallId: "1", toolName: "bash", args: { command } } as const;
  expect(await permit(call, tool, signal)).toMatchObject({
    type: "allow",
    grant: { sandboxed, folder: "/p" },
  });
});

test("a command starts as it was granted, and never outside the sandbox if it was granted inside", async () => {
  const shell = shellWith(sandbox);
  expect(await shell("make", PLACE, signal)).toMatchObject({ argv: ["sandbox", "make"] });
  expect((await shell("make", { ...PLACE, sandboxed: false }, signal)).argv).toEqual([
    expect.stringContaining("bash"),
    "-c",
    "make",
  ]);
  await expect(shellWith(null)("make", PLACE, signal)).rejects.toThrow("there is none");
  const missing = shellWith({ ...sandbox, available: false });
  await expect(missing("make", PLACE, signal)).rejects.toThrow("there is none");
});

test("rules about hosts open the sandbox's network", () => {
  expect(sandboxHosts(context(["web_fetch(example.com)", "connect(*.npmjs.org)", "bash"]))).toEqual({
    allowedHosts: ["example.com", "*.npmjs.org"],
    deniedHosts: [],
  });
});

test("the project is the git top level, but never the home folder or above", () => {
  const disk = fakeDisk({
    "/h/.git/HEAD": "",
    "/h/work/.git/HEAD": "",
    "/h/work/src/a": "",
    "/h/other/a": "",
  });
  expect(permissionRoot("/h/work/src", "/h", disk)).toBe("/h/work");
  expect(permissionRoot("/h/other", "/h", disk)).toBe("/h/other");
  expect(permissionRoot("/h", "/h", disk)).toBe("/h");
});

test.each<["allow" | "deny", boolean, string]>([
  ["allow", false, ""],
  ["allow", true, "The allow rule \"bash(\" of this project's configuration can't be used"],
  ["deny", false, "The deny rule \"bash(\" of this project's configuration can't be used"],
])("a project's broken %s rule, trusted: %p, gives the error %j", (verdict, trusted, told) => {
  const create = () =>
    createPermissionContext({
      permission: { mode: "ask", rules: [{ source: "project", [verdict]: ["bash("] }], sandbox: "off" },
      cwd: "/p",
      trusted,
      env: { HOME: "/h" },
    });
  if (told === "") expect(create().rules).toEqual([]);
  else expect(create).toThrow(told);
});

test("an added folder is part of the context by its real path, and no program is taken from it", () => {
  const create = (...addedFolders: readonly string[]) =>
    createPermissionContext({
      permission: { mode: "ask", rules: [], sandbox: "off", addedFolders },
      cwd: "/p",
      trusted: false,
      env: { HOME: "/h", PATH: "/usr/sbin:/usr/bin" },
    });
  expect(create().environment["PATH"]).toBe("/usr/sbin:/usr/bin");
  const { addedFolders, environment } = create("/usr/sbin", "/usr/./sbin");
  expect([addedFolders, environment["PATH"]]).toEqual([["/usr/sbin"], "/usr/bin"]);
  expect(() => create("/nowhere")).toThrow("/nowhere can't be added: it is not a folder.");
});
