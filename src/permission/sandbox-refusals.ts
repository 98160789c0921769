// What a command was refused, as the sandbox library tells it. The command can fake all of it, so these are hints, and
// few of them are kept.
import type { SandboxViolationStore } from "@anthropic-ai/sandbox-runtime";
import { isWithin } from "../base/real-path.ts";
import type { SandboxMounts } from "./sandbox-mounts.ts";
import type { Refusal } from "./sandboxed-command.ts";

const MOST_REFUSALS = 20;
const LONGEST = 500;

/** The store keeps only the last hundred of all commands, and is told of every write, so it is followed. */
export function collectRefusals(
  store: SandboxViolationStore,
  id: string,
  mounts: Pick<SandboxMounts, "writable" | "readOnly">,
): { readonly taken: () => readonly Refusal[] } {
  const found = new Map<string, Refusal>();
  const stop = store.subscribe((events) => {
    const last = events.at(-1);
    if (last?.command !== id || found.size >= MOST_REFUSALS || last.line.length > LONGEST) return;
    const refusal = readRefusal(last.line);
    if (refusal === null || (refusal.type === "write" && mayWrite(refusal.path, mounts))) return;
    found.set(JSON.stringify(refusal), refusal);
  });
  return {
    taken: () => {
      stop();
      return [...found.values()];
    },
  };
}

/** Such as `deny network-outbound example.com:443 (reason)`, `deny openat /path`, `x(1) deny(1) file-write-data /path`. */
export function readRefusal(line: string): Refusal | null {
  const host = /^deny network-outbound (\S+):(\d+) \(/.exec(line);
  if (host !== null) return { type: "host", host: host[1] ?? "", port: Number(host[2]) };
  const path = /\bdeny(?:\(\d+\))? (?!network|file-read)[\w-]+\*? (\/.*)$/.exec(line)?.[1];
  return path === undefined ? null : { type: "write", path };
}

function mayWrite(
  path: string,
  { writable, readOnly }: Pick<SandboxMounts, "writable" | "readOnly">,
): boolean {
  const inside = (folders: readonly string[]) => folders.some((folder) => isWithin(path, folder));
  return inside(OPEN_TO_ALL) || (inside(writable) && !inside(readOnly));
}

const OPEN_TO_ALL = ["/dev", "/proc", "/tmp", "/var/tmp"];
