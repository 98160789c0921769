// A project with everything that a command in the sandbox must not write or read, listeners that it must not reach, and
// what of all that has changed afterwards.
import { spawnSync } from "node:child_process";
import { createSocket } from "node:dgram";
import {
  accessSync,
  constants,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type ListenOptions, type Server } from "node:net";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { git } from "./permission-project.ts";
import type { AttackPlaces } from "./sandbox-attacks.ts";

export const SECRET = "the-secret-of-the-person";
/** Similar to how the sandbox starts it. Some containers forbid a new /proc. */
const BUBBLE = "--ro-bind / / --dev /dev --unshare-all --unshare-user --proc /proc true".split(" ");
const TEMPORARY = [tmpdir(), "/tmp", "/var/tmp"];
/** Not a temporary folder, because those are private inside the sandbox. */
export const SANDBOX_PLACE =
  [homedir(), "/"].find((folder) => !TEMPORARY.some((inside) => `${folder}/`.startsWith(`${inside}/`))) ??
  tmpdir();

/** Why the sandbox can't be tried here; null if it can. */
export const whyNoSandbox = reasonAgainst();
if (whyNoSandbox !== null) console.log(`skipped: the sandbox can't be tried (${whyNoSandbox})`);

function reasonAgainst(): string | null {
  if (spawnSync("bwrap", BUBBLE).status !== 0) return "bubblewrap doesn't work here";
  if (spawnSync("socat", ["-V"]).status !== 0) return "socat is missing";
  return isWritable(SANDBOX_PLACE) ? null : "every folder that can be written to is a temporary one";
}

const POWER: Readonly<Record<string, string>> = {
  ".vscode/settings.json": "{}",
  ".npmrc": "a=b",
  ".github/workflows/ci.yml": "on: push",
  ".husky/pre-commit": "true",
  ".claude/settings.json": "{}",
  "conf/idea/workspace.xml": "<x/>",
  "sub/.envrc": "true",
  "sub/deep/.vscode/tasks.json": "{}",
};
const SECRETS = [".env", "conf/prod.env", "conf/server.key"];
const HOME_SECRETS = ".ssh/id_rsa .netrc .git-credentials .aws/credentials .config/gh/hosts.yml .npmrc".split(
  " ",
);
/** Names that other programs obey, apart from how the product finds them. */
const OBEYED =
  /^\.(git|vscode|idea|zed|fleet|devcontainer|cursor|claude|codex|opencode|windsurf|husky|github|bashrc|profile|zshrc|envrc|npmrc|gitmodules|gitlab-ci\.yml|aider.*|tunacode.*|mcp\.json)$|^lefthook\.yml$|^\.g\u200cit$/i;

export interface SandboxGround extends AttackPlaces {
  readonly base: string;
  /** What was sent to the listeners, and to the one that may be reached. */
  readonly received: readonly string[];
  readonly granted: readonly string[];
  readonly grantedPort: number;
  /** All that other programs obey in the project, with its content. */
  readonly power: () => Readonly<Record<string, string>>;
  readonly close: () => void;
}

export async function createSandboxGround(): Promise<SandboxGround> {
  const base = realpathSync(mkdtempSync(join(SANDBOX_PLACE, "tunacode-escape-")));
  const [root, home, data] = ["project", "home", "data"].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ];
  const write = (path: string, content: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  };
  for (const name of HOME_SECRETS) write(join(home, name), `${SECRET}\n`);
  for (const name of SECRETS) write(join(root, name), `${SECRET}\n`);
  for (const [name, content] of Object.entries(POWER)) write(join(root, name), content);
  for (const name of ["project.txt", "src/main.txt", "prepared/x"]) write(join(root, name), "x\n");
  write(join(data, "tunacode/sessions/old.jsonl"), SECRET);
  symlinkSync("conf/idea", join(root, ".idea"));
  git(root, "init", "-q");
  git(root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x");
  git(root, "worktree", "add", "-q", "worktree");
  git(root, "init", "-q", "--bare", "bare.git");
  git(root, "init", "-q", "sub");
  const received: string[] = [];
  const socket = join(base, "socket");
  const abstractSocket = `tunacode-escape-${crypto.randomUUID()}`;
  const servers = [
    await listen({ path: socket }, received),
    await listen({ host: "127.0.0.1", port: 0 }, received),
  ];
  const port = portOf(servers[1]);
  servers.push(await listen({ host: "::1", port }, received));
  servers.push(await listen({ path: `\0${abstractSocket}` }, received));
  const granted: string[] = [];
  const open = await listen({ host: "127.0.0.1", port: 0 }, granted);
  servers.push(open);
  const datagrams = createSocket("udp4", (message) => received.push(`udp ${message}`)).bind(
    port,
    "127.0.0.1",
  );
  const close = () => {
    for (const server of servers) server.close();
    datagrams.close();
    spawnSync("chmod", ["-R", "u+rwx", base]);
    rmSync(base, { recursive: true, force: true });
  };
  const places = { root, home, data, port, socket, abstractSocket, pid: process.pid };
  return { base, ...places, received, granted, grantedPort: portOf(open), power: () => powerIn(root), close };
}

function powerIn(root: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const look = (folder: string, inside: boolean) => {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      const stat = lstatSync(path);
      const counts =
        inside ||
        OBEYED.test(name) ||
        /^(bare\.git|gitlike|fresh-bare)$/.test(name) ||
        path.includes("conf/idea");
      if (stat.isDirectory() && name !== "node_modules") look(path, counts);
      if (!counts) continue;
      const content = stat.isFile()
        ? readFileSync(path, "latin1")
        : stat.isSymbolicLink()
          ? readlinkSync(path)
          : "";
      found[path.slice(root.length + 1)] = `${stat.mode} ${content}`;
    }
  };
  look(root, false);
  return found;
}

function portOf(server: Server | undefined): number {
  const address = server?.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function listen(where: ListenOptions, received: string[]): Promise<Server> {
  const server = createServer((connection) => {
    const index = received.push(`connected to ${JSON.stringify(where)}`) - 1;
    connection.once("data", (data) => {
      received[index] = data.toString().split("\r\n")[0] ?? "";
      connection.end("HTTP/1.1 200 OK\r\ncontent-length: 7\r\nconnection: close\r\n\r\ngranted");
    });
    connection.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(where, resolve));
  return server;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
