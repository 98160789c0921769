// Looks after commands in the sandbox that were running when we were killed: what they made and other programs obey is
// set aside, and their temporary folder is removed.
import { readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { dataHome, type Environment } from "../base/xdg.ts";
import { errorMessage } from "../domain/error.ts";

/** The kernel ends what was in the sandbox together with us, which may take a moment. */
const LAST_BREATH_MS = 300;

export function recordFolder(env: Environment): string {
  return join(dataHome(env), "tunacode", "sandbox");
}

export function keptFolder(env: Environment): string {
  return join(dataHome(env), "tunacode", "set-aside");
}

/** Says what was found, to the person. Every start calls it, and usually there is nothing. */
export async function recoveredRemarks(env: Environment): Promise<readonly string[]> {
  const folder = recordFolder(env);
  if (isEmpty(folder)) return [];
  const [{ abandonedCommands }, { setAside }] = await Promise.all([
    import("./sandbox-record.ts"),
    import("./set-aside.ts"),
  ]);
  const remarks: string[] = [];
  for (const { before, temporary, forget } of await abandonedCommands(folder)) {
    await sleep(LAST_BREATH_MS);
    try {
      for (const { path, keptIn } of await setAside(before, keptFolder(env)))
        remarks.push(
          `A command that was cut off had made ${path}, which other programs obey. It was moved to ${keptIn}.`,
        );
    } catch (error) {
      remarks.push(`${errorMessage(error)}. Look at it before you go on.`);
    }
    if (/\/tunacode-sandbox-[^/]+$/.test(temporary)) await rm(temporary, { recursive: true, force: true });
    await forget();
  }
  return remarks;
}

function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch {
    return true; // No command has run in a sandbox yet.
  }
}
