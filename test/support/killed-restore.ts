// Run as a program: takes changes back, or recovers, and kills itself with SIGKILL right before its Nth call to the
// file system.
//   killed-restore.ts LAB-FOLDER carry-out|recover N [no-links]
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { nodeCalls, type RestoreCalls } from "../../src/checkpoint/restore-calls.ts";
import type { FileChange } from "../../src/domain/file-change.ts";
import { newRestoreId } from "../../src/domain/ids.ts";
import { openLab } from "./restore-lab.ts";

export const CHANGES_FILE = "changes.json";

export function countedCalls(before: (count: number, name: string) => void): RestoreCalls {
  let count = 0;
  return new Proxy(nodeCalls, {
    get(target, name, receiver) {
      const call: unknown = Reflect.get(target, name, receiver);
      if (typeof call !== "function") return call;
      return (...args: unknown[]) => {
        before(++count, String(name));
        return Reflect.apply(call, target, args);
      };
    },
  });
}

/** As on a disk without hard links. */
export function withoutLinks(calls: RestoreCalls): RestoreCalls {
  const linkSync = () => {
    throw Object.assign(new Error("There are no hard links."), { code: "EPERM" });
  };
  return new Proxy(calls, {
    get: (target, name) => (name === "linkSync" ? linkSync : Reflect.get(target, name)),
  });
}

async function main([folder = "", work, at, disk]: readonly string[]): Promise<void> {
  let isOn = false;
  let first = 0;
  const calls = countedCalls((count) => {
    if (!isOn) first = count;
    else if (count - first === Number(at)) process.kill(process.pid, "SIGKILL");
  });
  const { restorer } = await openLab(folder, { calls: disk === "no-links" ? withoutLinks(calls) : calls });
  if (work === "recover") {
    isOn = true;
    await restorer.recover();
    return;
  }
  const changes = JSON.parse(readFileSync(join(folder, CHANGES_FILE), "utf8")) as readonly FileChange[];
  const plan = await restorer.plan(changes);
  isOn = true;
  await restorer.carryOut(plan, newRestoreId(), new Set());
  process.kill(process.pid, at === "end" ? "SIGKILL" : 0);
}

if (import.meta.main) await main(process.argv.slice(2));
