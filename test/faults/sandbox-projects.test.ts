// Several projects in one process, each with a sandbox of its own: opened and closed in any order.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createSandbox, type Sandbox } from "../../src/permission/sandbox.ts";
import { createRipgrepPath } from "../../src/tools/ripgrep.ts";
import { SANDBOX_PLACE, whyNoSandbox } from "../support/sandbox-ground.ts";

let base = "";
let server: Server;
let port = 0;

beforeAll(async () => {
  if (whyNoSandbox !== null) return;
  base = realpathSync(mkdtempSync(join(SANDBOX_PLACE, "tunacode-projects-")));
  for (const name of ["one", "two", "home"]) mkdirSync(join(base, name));
  server = createServer((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nthere"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});

afterAll(() => {
  server?.close();
  if (base !== "") rmSync(base, { recursive: true, force: true });
});

function open(name: string): Promise<Sandbox> {
  const env = { PATH: process.env["PATH"], HOME: join(base, "home"), XDG_DATA_HOME: join(base, "data") };
  const places = { root: join(base, name), home: join(base, "home") };
  return createSandbox({ ...places, env, ripgrepPath: createRipgrepPath() });
}

async function run(sandbox: Sandbox, name: string, script: string, allowedHosts: readonly string[] = []) {
  const root = join(base, name);
  const rules = { deniedHosts: [], unreadable: [], unwritable: [] };
  const reach = { root, home: join(base, "home"), writableFolders: [], allowedHosts, ...rules };
  const start = await sandbox.start({ script, folder: root, reach }, new AbortController().signal);
  const [program = "", ...args] = start.argv;
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...start.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { output: output.join(""), report: await start.ended() };
}

describe.skipIf(whyNoSandbox !== null)("two projects", () => {
  test("write each in its own, and only one may reach the host", async () => {
    const [one, two] = await Promise.all([open("one"), open("two")]);
    expect([one.reason, one.available, two.available]).toEqual([one.reason, true, true]);
    const fetched = `curl -s -m 5 --noproxy '' http://localhost:${port}/`;
    const write = `echo x > ${join(base, "one")}/from; echo x > ${join(base, "two")}/from; ${fetched}`;
    const [first, second] = await Promise.all([
      run(one, "one", write.replaceAll("/from", "/from-one"), ["localhost"]),
      run(two, "two", write.replaceAll("/from", "/from-two")),
    ]);
    expect(first.output).toContain("there");
    expect(second.output).not.toContain("there");
    expect(first.report.refused).toContainEqual({ type: "write", path: join(base, "two/from-one") });
    expect(second.report.refused).toContainEqual({ type: "host", host: "localhost", port });
    const made = ["one/from-one", "one/from-two", "two/from-one", "two/from-two"];
    expect(made.filter((path) => existsSync(join(base, path)))).toEqual(["one/from-one", "two/from-two"]);

    await one.close();
    await one.close();
    const later = await run(two, "two", `mkdir .vscode; echo still`);
    expect(later.output).toBe("still\n");
    expect(later.report.setAside.map(({ path }) => path)).toEqual([join(base, "two/.vscode")]);
    const [again] = await Promise.all([open("one"), two.close()]);
    expect((await run(again, "one", "echo again")).output).toBe("again\n");
    await again.close();
  }, 30_000);

  test("a command that nobody looked after is looked after when the sandbox closes", async () => {
    const sandbox = await open("one");
    const root = join(base, "one");
    writeFileSync(join(root, "a.txt"), "");
    const reach = { root, home: join(base, "home"), writableFolders: [], allowedHosts: [], deniedHosts: [] };
    const whole = { script: "true", folder: root, reach: { ...reach, unreadable: [], unwritable: [] } };
    await sandbox.start(whole, new AbortController().signal);
    mkdirSync(join(root, ".zed"));
    await sandbox.close();
    expect(existsSync(join(root, ".zed"))).toBe(false);
  }, 30_000);
});
