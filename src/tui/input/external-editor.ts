// Opens the prompt in the person's own editor: $VISUAL, else $EDITOR, else vi.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

type EditedText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string };

/** Blocks on purpose: the other program has the terminal to itself. */
export function editExternally(text: string, env: NodeJS.ProcessEnv): EditedText {
  const command = env["VISUAL"] || env["EDITOR"] || "vi";
  const folder = mkdtempSync(join(tmpdir(), "tunacode-prompt-"));
  try {
    const path = join(folder, "prompt.md");
    writeFileSync(path, text, { mode: 0o600 });
    // The shell splits a command such as `code --wait`; the path is ours and needs no escaping.
    const { status, error } = spawnSync(`${command} "${path}"`, { shell: true, stdio: "inherit", env });
    if (error !== undefined || status !== 0)
      return { ok: false, problem: `${command} ended with ${error?.message ?? `exit code ${status}`}` };
    return { ok: true, text: readFileSync(path, "utf8").trimEnd() };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
