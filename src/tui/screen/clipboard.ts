// Text into the clipboard of the terminal the person sits at, also over ssh: OSC 52. tmux drops that sequence as it
// is usually set up, but has a command that does the same.
import { execFile } from "node:child_process";

/** Of a sequence many terminals read 100,000 bytes and throw longer ones away: this much text makes one. */
export const MOST_COPIED_BYTES = 74_994;
const DEADLINE_MS = 3_000;

export interface CopyingTerminal {
  readonly env: NodeJS.ProcessEnv;
  readonly write: (bytes: string) => void;
}

export async function copyToClipboard(text: string, { env, write }: CopyingTerminal): Promise<void> {
  if (env["TMUX"] && (await copyThroughTmux(text, env))) return;
  write(`\u001b]52;c;${Buffer.from(text).toString("base64")}\u0007`);
}

/** False: no tmux to be found, or one before 3.2. */
function copyThroughTmux(text: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { env, timeout: DEADLINE_MS };
    const { stdin } = execFile("tmux", ["load-buffer", "-w", "-"], options, (error) =>
      resolve(error === null),
    );
    // One that ended before it read everything has told so by its exit code.
    stdin?.on("error", () => {});
    stdin?.end(text);
  });
}
