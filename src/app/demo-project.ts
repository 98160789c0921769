// The demo's sample project: plain shell scripts with one bug, so that it runs on a machine with nothing installed.
import { spawn } from "node:child_process";
import { accessSync, constants, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cacheHome, type Environment } from "../base/xdg.ts";
import { errorMessage, TunacodeError } from "../domain/error.ts";
import discount from "./demo-project/discount.sh" with { type: "text" };
import price from "./demo-project/price.sh" with { type: "text" };
import readme from "./demo-project/README.md" with { type: "text" };
import test from "./demo-project/test.sh" with { type: "text" };

export const TEST_COMMAND = "./test.sh";
/** The file with the bug, and the only one the demo may change. */
export const BROKEN_FILE = "discount.sh";

const DEADLINE_MS = 30_000;
const FILES = { "README.md": readme, [BROKEN_FILE]: discount, "price.sh": price, "test.sh": test };

/** Writes the project into a new folder and returns its path. */
export function createDemoProject(env: Environment): string {
  const problems: string[] = [];
  for (const place of [tmpdir(), join(cacheHome(env), "tunacode")]) {
    try {
      return writeProject(place);
    } catch (error) {
      // Read-only, or mounted noexec: the next place may work.
      problems.push(errorMessage(error));
    }
  }
  throw new TunacodeError("internal", `The sample project could not be written: ${problems.join("; ")}`);
}

/** Runs the project's tests, regardless of what a model says about them. */
export function demoTestsPass(folder: string): Promise<boolean> {
  return new Promise((resolve) => {
    const tests = spawn("/bin/sh", ["test.sh"], { cwd: folder, stdio: "ignore", timeout: DEADLINE_MS });
    tests.on("error", () => resolve(false));
    tests.on("close", (code) => resolve(code === 0));
  });
}

function writeProject(place: string): string {
  mkdirSync(place, { recursive: true });
  const folder = realpathSync(mkdtempSync(join(place, "tunacode-demo-")));
  try {
    for (const [name, text] of Object.entries(FILES))
      writeFileSync(join(folder, name), text, { mode: 0o755 });
    accessSync(join(folder, TEST_COMMAND), constants.X_OK);
    return folder;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}
