// The JavaScript runtimes on this machine that the library supports.
import { spawnSync } from "node:child_process";

export interface Runtime {
  readonly name: string;
  readonly path: string;
}

const OLDEST_NODE = 22;

/** Bun, and Node if the machine has one that is new enough. Otherwise the reason is printed. */
export function libraryRuntimes(): Runtime[] {
  const bun = { name: "Bun", path: process.execPath };
  const { stdout } = spawnSync("node", ["--version"], { encoding: "utf8" });
  const version = /^v(\d+)/.exec(stdout ?? "")?.[1];
  if (Number(version) >= OLDEST_NODE) return [bun, { name: `Node ${version}`, path: "node" }];
  const found = version === undefined ? "there is none" : `this one is ${version}`;
  console.log(`skipped on Node: the library needs ${OLDEST_NODE} or newer, and ${found}`);
  return [bun];
}
