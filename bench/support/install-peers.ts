// Installs the other agents in a folder for PEERS_DIR, each in its newest version that can be installed. npm goes by the
// Node it runs on and would pick old ones on an old Node, so a newer Node is installed first, and everything runs on that.
//   bun bench/support/install-peers.ts [FOLDER]
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeFolder, PEERS } from "./peers.ts";

const NODE = "node@24";
/** A version may need a package that isn't there; then an older one is tried. */
const MOST_TRIES = 6;

const folder = process.argv[2] ?? mkdtempSync(join(tmpdir(), "tunacode-peers-"));
const env = { ...process.env, PATH: `${nodeFolder(folder)}:${process.env["PATH"]}` };

if (!install(NODE, join(folder, "node"))) throw new Error(`${NODE} can't be installed.`);
for (const { name, package: wanted } of PEERS) {
  if (wanted === undefined) continue;
  const version = newestFirst(wanted).find((each) => install(`${wanted}@${each}`, folder));
  console.error(version === undefined ? `${name} can't be installed` : `${name} ${version}`);
}
console.log(`PEERS_DIR=${folder}`);

function newestFirst(name: string): string[] {
  const { stdout } = npm("view", name, "versions", "--json");
  const versions: string[] = JSON.parse(stdout);
  return versions
    .filter((version) => /^[\d.]+$/.test(version))
    .slice(-MOST_TRIES)
    .toReversed();
}

function install(what: string, where: string): boolean {
  return npm("install", "--no-audit", "--no-fund", "--prefix", where, what).status === 0;
}

function npm(...args: readonly string[]) {
  return spawnSync("npm", args, { env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}
