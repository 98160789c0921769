// Copies text into the clipboard of the person's terminal, even over ssh, with OSC 52. tmux drops that sequence by
// default, but has a command that does the same.
import { execFile } from "node:child_process";

/** Many terminals ignore sequences over 100,000 bytes, which is what this much text becomes in base64. */
export const MOST_COPIED_BYTES = 74_994;
const DEADLINE_MS = 3_000;

interface CopyingTerminal {
  readonly env: NodeJS.ProcessEnv;
  readonly write: (bytes: string) => void;
}

export async function copyToClipboard(text: string, { env, write }: CopyingTerminal): Promise<void> {
  if (env["TMUX"] && (await copyThroughTmux(text, env))) return;
  write(`\u001b]52;c;${Buffer.from(text).toString("base64")}\u0007`);
}

/** False: tmux was not found, or is older than 3.2. */
function copyThroughTmux(text: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { env, timeout: DEADLINE_MS };
    const { stdin } = execFile("tmux", ["load-buffer", "-w", "-"], options, (error) =>
      resolve(error === null),
    );
    // A process that ends before it has read everything reports that by its exit code.
    stdin?.on("error", () => {});
    stdin?.end(text);
  });
}
