// The JavaScript runtimes of this machine that the library is made for.
import { spawnSync } from "node:child_process";

export interface Runtime {
  readonly name: string;
  readonly path: string;
}

const OLDEST_NODE = 22;

/** Bun always; Node where the machine has one that is new enough, and a printed reason where it hasn't. */
export function libraryRuntimes(): Runtime[] {
  const bun = { name: "Bun", path: process.execPath };
  const { stdout } = spawnSync("node", ["--version"], { encoding: "utf8" });
  const version = /^v(\d+)/.exec(stdout ?? "")?.[1];
  if (Number(version) >= OLDEST_NODE) return [bun, { name: `Node ${version}`, path: "node" }];
  const found = version === undefined ? "there is none" : `this one is ${version}`;
  console.log(`skipped on Node: the library needs ${OLDEST_NODE} or newer, and ${found}`);
  return [bun];
}
