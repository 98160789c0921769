import { expect, test } from "bun:test";
import { fakeDisk } from "../../test/support/fake-disk.ts";
import type { PermissionContext } from "../permission/context.ts";
import { parseRules } from "../permission/rules.ts";
import type { Sandbox } from "../permission/sandbox.ts";
import { createPermissionContext, createShell, projectRoot, sandboxHosts } from "./permit.ts";

const signal = new AbortController().signal;
const sandbox: Sandbox = {
  available: true,
  reason: "",
  wrapCommand: async (command) => ({ argv: ["sandbox", command], sandboxed: true }),
  close: async () => {},
};

function context(allow: readonly string[], inSandbox = true): PermissionContext {
  const { rules } = parseRules(allow, "allow", "person");
  const workspace = { root: "/p", cwd: "/p" };
  return {
    mode: "ask",
    rules,
    workspace,
    home: "/h",
    trusted: false,
    sandbox: inSandbox,
    disk: fakeDisk({}),
  };
}

test.each<[string, readonly string[], boolean]>([
  ["make", [], true],
  ["ls", [], true],
  ["make", ["bash(make)"], false],
  ["make && npm x", ["bash(make)"], true],
  // It was asked about, and somebody said yes.
  ["echo x > /etc/x", [], false],
])("%s with %j runs in the sandbox: %p", async (command, allow, sandboxed) => {
  const shell = createShell(() => context(allow), sandbox);
  const script = `trap x EXIT; ${command}`;
  expect((await shell.wrapCommand(script, "/p", signal, command)).sandboxed).toBe(sandboxed);
});

test("a script nobody judged stays inside, and without a sandbox nothing is wrapped", async () => {
  const shell = createShell(() => context(["bash(make)"]), sandbox);
  expect(await shell.wrapCommand("touch x; make", "/p", signal)).toMatchObject({ sandboxed: true });
  const bare = createShell(() => context([], false), { ...sandbox, available: false });
  expect(await bare.wrapCommand("make", "/p", signal)).toEqual({
    argv: ["/bin/bash", "-c", "make"],
    sandboxed: false,
  });
});

test("rules about hosts open the sandbox's network", () => {
  expect(sandboxHosts(context(["web_fetch(example.com)", "web_fetch(*.npmjs.org)", "bash"]))).toEqual({
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
  expect(projectRoot("/h/work/src", "/h", disk)).toBe("/h/work");
  expect(projectRoot("/h/other", "/h", disk)).toBe("/h/other");
  expect(projectRoot("/h", "/h", disk)).toBe("/h");
});

test.each<["allow" | "deny", boolean, string]>([
  ["allow", false, ""],
  ["allow", true, "The allow rule \"bash(\" of this project's configuration can't be used"],
  ["deny", false, "The deny rule \"bash(\" of this project's configuration can't be used"],
])("a project's broken %s rule, trusted: %p, is told: %j", (verdict, trusted, told) => {
  const result = createPermissionContext({
    mode: "ask",
    rules: [{ source: "project", [verdict]: ["bash("] }],
    root: "/p",
    cwd: "/p",
    trusted,
    sandbox: false,
    environment: { HOME: "/h" },
  });
  expect(result.ok ? "" : result.problems.join()).toStartWith(told);
  expect(result.ok).toBe(told === "");
});
