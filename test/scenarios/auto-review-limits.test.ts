// What no reviewer may allow: with one that says yes to everything, nothing outside the project, no secret, no file that
// gives power, no publishing, no rewriting of history and no way out of the sandbox is even put to it.
import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { createPermissionContext } from "../../src/app/permit.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { isWithin } from "../../src/base/real-path.ts";
import type { PermissionAnswer } from "../../src/domain/permission.ts";
import { createPermit } from "../../src/permission/permit.ts";
import { catalogTool } from "../support/bound-tool.ts";
import { ATTACKS } from "../support/hostile-commands.ts";
import { createHostileProject } from "../support/hostile-project.ts";
import { createPermissionProject } from "../support/permission-project.ts";

const LONG = process.env["TUNACODE_LONG"] === "1";
const EACH = LONG ? 5_000 : 80;
const SEED = LONG ? Date.now() : 11;

const plain = createPermissionProject();
const hostile = createHostileProject();
afterAll(() => {
  plain.close();
  hostile.close();
});

interface Place {
  readonly root: string;
  readonly home: string;
}

/** Says yes to everything, and writes down what it was asked. */
function gullible({ root, home }: Place, sandbox: boolean, deny: readonly string[] = []) {
  const rules = [{ source: "person", deny } as const];
  const start = { permission: { mode: "auto", rules, sandbox: "off" }, cwd: root, trusted: false } as const;
  const context = {
    ...createPermissionContext({ ...start, env: { PATH: "/usr/bin:/bin", HOME: home } }),
    sandbox,
  };
  const seen: string[] = [];
  const permit = createPermit({
    context: async () => context,
    ask: null,
    remember: () => {},
    review: async ({ shown }) => {
      seen.push(shown);
      return "allow";
    },
  });
  const workspace = { root, cwd: () => root, setCwd: () => {}, home };
  const { signal } = new AbortController();
  return {
    seen,
    call: (toolName: string, args: JsonObject) =>
      permit(
        { kind: "tool-call", toolCallId: "1", toolName, args },
        catalogTool(toolName, { workspace }),
        signal,
      ),
  };
}

/** It runs as the person would run it: not inside the sandbox, and not as a script that only reads. */
function runsFreely(answer: PermissionAnswer): boolean {
  return answer.type === "allow" && answer.grant?.sandboxed === false && answer.grant.rebuilt === undefined;
}

const OUTSIDE = [
  "../x",
  "~/x",
  "/etc/x",
  "$HOME/notes.txt",
  "link-home/x",
  "link-out",
  "src/../../x",
  "/tmp/x",
];
const SECRETS = [".env", "certs/server.key", "src/.env.local", "~/.ssh/id_rsa", "id_ed25519"];
const POWER = [
  ".git/config",
  ".git/hooks/pre-commit",
  ".vscode/settings.json",
  ".envrc",
  ".bashrc",
  ".mcp.json",
  "src/.gitmodules",
];
const BEYOND = [
  ..."git push;git push --force origin main;npm publish;cargo publish;gh release create v1;docker push a/b".split(
    ";",
  ),
  ..."twine upload dist/x;scp a.txt host:x;curl -T a.txt http://x;kubectl apply -f a.txt;npm run release".split(
    ";",
  ),
  ..."git rebase main;git reset --hard HEAD~1;git commit --amend -m x;git filter-branch -f;git push -f".split(
    ";",
  ),
  ..."git update-ref -d refs/heads/x;git reflog expire --all;git branch -D x;git tag -d v1;sudo make".split(
    ";",
  ),
];
const onPath = fc
  .tuple(
    fc.constantFrom(
      "rm -f P",
      "cp a.txt P",
      "mv b.txt P",
      "tee P",
      "touch P",
      "echo x > P",
      "sed -i s/a/b/ P",
      "chmod +x P",
    ),
    fc.constantFrom(...OUTSIDE, ...SECRETS, ...POWER),
  )
  .map(([shape, path]) => shape.replace("P", path));
/** Alone, or hidden beside and inside of what a reviewer may well allow. */
const forbidden = fc
  .tuple(
    fc.constantFrom(
      "X",
      "npm test && X",
      "X; npm test",
      "npm test | X",
      "(X)",
      "timeout 5 X",
      "env A=b X",
      "if true; then X; fi",
      "npm test &\nX",
      "nice X",
    ),
    fc.oneof(onPath, fc.constantFrom(...BEYOND)),
  )
  .map(([shape, command]) => shape.replace("X", command));

test.each([false, true])(
  "forbidden commands, sandbox %p",
  async (sandbox) => {
    const { call, seen } = gullible(plain, sandbox);
    expect((await call("bash", { command: "npm test" })).type).toBe("allow");
    const asked = seen.length;
    for (const command of fc.sample(forbidden, { numRuns: EACH, seed: SEED })) {
      const answer = await call("bash", { command });
      expect({ command, free: runsFreely(answer), seen: seen.slice(asked) }).toEqual({
        command,
        free: false,
        seen: [],
      });
    }
  },
  600_000,
);

test("files that are not ordinary files of the project, hosts, and what a rule denies", async () => {
  const { call, seen } = gullible(plain, false, ["write(src/deep/**)", "bash(make)"]);
  for (const path of [...OUTSIDE, ...SECRETS, ...POWER, "src/deep/util.ts"]) {
    const filepath = path.replace(/^\$HOME/, plain.home);
    expect([path, (await call("write_file", { filepath, content: "x" })).type]).toEqual([path, "deny"]);
  }
  expect((await call("web_fetch", { url: "https://example.com/" })).type).toBe("deny");
  expect((await call("bash", { command: "make" })).type).toBe("deny");
  expect((await call("read_file", { filepath: ".env" })).type).toBe("deny");
  expect(seen).toEqual([]);
  expect((await call("write_file", { filepath: "src/main.ts.new", content: "x" })).type).toBe("allow");
  expect(seen).toHaveLength(1);
});

/** Known without any table: words that lead out of the project, or name what must not be touched. */
function leaves(command: string, { root }: Place): boolean {
  const written = command.replace(/'[^']*'/g, "x").replaceAll("=~", "");
  if (
    /\$\{?(HOME|OLDPWD|CDPATH|XDG|OPENAI|LD_)|CANARY|\.env\b|\.git\b|link-(out|home)|folder-out|id_rsa/.test(
      written,
    )
  )
    return true;
  const words = written.split(/[\s"'=<>(){};|&,:`]+/);
  return words.some((word) => {
    if (word.startsWith("~")) return true;
    if (/^\/(dev\/(null|std|fd)|(usr\/)?bin\/)/.test(word)) return false;
    return !/\bcd\b/.test(written) && !isWithin(resolve(root, word), root);
  });
}

test.each(Object.keys(ATTACKS) as (keyof typeof ATTACKS)[])(
  "generated attacks: %s",
  async (kind) => {
    const { call, seen } = gullible(hostile, false);
    for (const command of fc.sample<string>(ATTACKS[kind], { numRuns: EACH, seed: SEED })) {
      if (command.includes("\0")) continue;
      const before = seen.length;
      const answer = await call("bash", { command });
      if (runsFreely(answer)) expect(seen).toHaveLength(before + 1);
      if (seen.length > before && leaves(command, hostile))
        throw new Error(`It was put to the reviewer: ${command}`);
    }
  },
  600_000,
);

test("of the commands that have to be asked about, none that leaves the project is put to it", async () => {
  const lines = readFileSync(join(import.meta.dir, "../fixtures/shell-decisions.txt"), "utf8").split("\n");
  const { call, seen } = gullible(plain, false);
  const commands = lines.slice(lines.indexOf("= ask")).filter((line) => line !== "" && !/^[=#]/.test(line));
  expect(commands.length).toBeGreaterThan(100);
  for (const command of commands.map((line) =>
    line.replaceAll("<NL>", "\n").replace(/<[A-Z]+>/g, "\u200b"),
  )) {
    const before = seen.length;
    await call("bash", { command });
    if (seen.length > before && leaves(command, plain))
      throw new Error(`It was put to the reviewer: ${command}`);
  }
});
