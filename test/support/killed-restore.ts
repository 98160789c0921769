// Run as a program: takes changes back, or recovers, and kills itself with SIGKILL right before its Nth call to the
// file system.
//   killed-restore.ts LAB-FOLDER carry-out|recover N
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { nodeCalls, type RestoreCalls } from "../../src/checkpoint/restore-calls.ts";
import type { FileChange } from "../../src/domain/file-change.ts";
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

async function main([folder = "", work, at]: readonly string[]): Promise<void> {
  let isOn = false;
  let first = 0;
  const calls = countedCalls((count) => {
    if (!isOn) first = count;
    else if (count - first === Number(at)) process.kill(process.pid, "SIGKILL");
  });
  const { restorer } = await openLab(folder, { calls });
  if (work === "recover") {
    isOn = true;
    await restorer.recover();
    return;
  }
  const changes = JSON.parse(readFileSync(join(folder, CHANGES_FILE), "utf8")) as readonly FileChange[];
  const plan = await restorer.plan(changes);
  isOn = true;
  await restorer.carryOut(plan, "restore_1", new Set());
  process.kill(process.pid, at === "end" ? "SIGKILL" : 0);
}

if (import.meta.main) await main(process.argv.slice(2));
