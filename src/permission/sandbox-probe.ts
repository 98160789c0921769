// Tries to escape from the sandbox through a unix socket, a TCP connection and a file outside. The result is judged
// from outside, by what really happened, and not by what the probe reports.

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { access, constants, mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { createServer, type ListenOptions, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { isWithin } from "../base/real-path.ts";
import { shellQuoted } from "../base/shell-program.ts";
import type { SandboxedCommand, SandboxedStart } from "./sandboxed-command.ts";

interface ProbeOptions {
  readonly root: string;
  readonly home: string;
  readonly start: (command: SandboxedCommand, signal: AbortSignal) => Promise<SandboxedStart>;
}

const PROBE_MS = 10_000;
const RAN = "probe ran";

/** Runs with our own executable. A compiled binary has to be told to act as the Bun runtime. */
const PROBE = `
const net = require("node:net"), fs = require("node:fs");
const { SOCKET, PORT, OUTSIDE, INSIDE, KERNEL } = process.env;
const write = (path) => { try { fs.writeFileSync(path, "x"); } catch {} };
const connect = (to) => new Promise((done) => {
  try {
    const socket = net.connect(to, () => { socket.end("x"); setTimeout(done, 100); });
    socket.on("error", done);
  } catch { done(); }
  setTimeout(done, 1500);
});
write(OUTSIDE); write(INSIDE);
try { fs.closeSync(fs.openSync("/proc/sys/kernel/core_pattern", "r+")); write(KERNEL); } catch {}
Promise.all([connect({ path: SOCKET }), connect({ host: "127.0.0.1", port: Number(PORT) })])
  .then(() => { console.log("${RAN}"); process.exitCode = 0; setTimeout(() => process.kill(process.pid, "SIGKILL"), 50); });
`;

/** What escaped, or why the probe was inconclusive; null if nothing escaped. */
export async function probeSandbox(options: ProbeOptions): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), "tunacode-probe-"));
  const outside = join(await folderOutside(options), `.tunacode-probe-${randomUUID()}`);
  const scratch = join(folder, "scratch");
  await mkdir(scratch);
  const inside = join(scratch, "inside");
  const kernel = join(scratch, "kernel");
  const reached: string[] = [];
  const socketPath = join(folder, "socket");
  const servers: Server[] = [];
  try {
    servers.push(await listen({ path: socketPath }, () => reached.push("a unix socket")));
    const tcp = await listen({ host: "127.0.0.1", port: 0 }, () => reached.push("a TCP port"));
    servers.push(tcp);
    const address = tcp.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const environment = {
      SOCKET: socketPath,
      PORT: String(port),
      OUTSIDE: outside,
      INSIDE: inside,
      KERNEL: kernel,
    };
    const output = await runProbe(options, scratch, environment);
    if (existsSync(outside)) reached.push("a file outside the project");
    if (existsSync(kernel)) reached.push("the machine's settings");
    if (reached.length > 0) return `a probe reached ${[...new Set(reached)].join(" and ")} from inside`;
    if (!output.includes(RAN))
      return `a probe could not run in it (${output.trim().slice(-200) || "no output"})`;
    return existsSync(inside) ? null : "a probe could not write in a folder that is open to it";
  } finally {
    for (const server of servers) server.close();
    await rm(folder, { recursive: true, force: true });
    // On a read-only disk, removing a file fails even if it doesn't exist.
    if (existsSync(outside)) await rm(outside, { force: true });
  }
}

/** The home folder, or another folder the person can write to. */
async function folderOutside({ home, root }: ProbeOptions): Promise<string> {
  const folders = [root, await realpath(tmpdir()), "/tmp", "/var/tmp"];
  for (const candidate of [home, dirname(root), "/dev/shm", "/"]) {
    const path = await realpath(candidate).catch(() => null);
    if (path === null || folders.some((folder) => isWithin(path, folder))) continue;
    const mayWrite = await access(path, constants.W_OK).then(
      () => true,
      () => false,
    );
    if (mayWrite) return path;
  }
  // The person can't write anywhere outside.
  return "/";
}

async function runProbe(
  { root, home, start }: ProbeOptions,
  scratch: string,
  variables: Record<string, string>,
): Promise<string> {
  const signal = AbortSignal.timeout(PROBE_MS);
  const assignments = Object.entries({ ...variables, BUN_BE_BUN: "1" }).map(
    ([name, value]) => `${name}=${shellQuoted(value)}`,
  );
  const script = `${assignments.join(" ")} ${shellQuoted(process.execPath)} -e ${shellQuoted(PROBE)}`;
  const reach = { root: scratch, home, writableFolders: [], ...NOTHING_ALLOWED };
  const { argv, env, ended } = await start({ script, folder: root, reach, scratch }, signal);
  const [program = "", ...args] = argv;
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    signal,
  });
  const failed = new Promise<string>((resolve) => child.once("error", (error) => resolve(error.message)));
  const output = Promise.all([text(child.stdout), text(child.stderr)]).then((texts) => texts.join("\n"));
  try {
    return await Promise.race([output, failed]);
  } finally {
    await ended();
  }
}

const NOTHING_ALLOWED = { allowedHosts: [], deniedHosts: [], unreadable: [], unwritable: [] };

async function listen(where: ListenOptions, onConnection: () => void): Promise<Server> {
  const server = createServer((socket) => {
    onConnection();
    socket.on("error", () => {});
    socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(where, resolve);
  });
  return server;
}
