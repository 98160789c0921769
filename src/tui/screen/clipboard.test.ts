// Where copied text goes: to the terminal, or through a tmux that would drop what is meant for it.
import { expect, test } from "bun:test";
import { hasTmux, startTmux } from "../../../test/support/tmux.ts";
import { copyToClipboard } from "./clipboard.ts";

async function written(text: string, env: NodeJS.ProcessEnv): Promise<string> {
  let bytes = "";
  await copyToClipboard(text, {
    env,
    write: (more) => {
      bytes += more;
    },
  });
  return bytes;
}

test("a terminal gets it as one sequence, whatever is in it", async () => {
  expect(await written("é\n\u0007", {})).toBe("\u001b]52;c;w6kKBw==\u0007");
});

test("the sequence is sent if tmux can't be reached", async () => {
  const env = { PATH: process.env["PATH"], TMUX: "/nowhere/socket,1,0" };
  expect(await written("text", env)).toBe("\u001b]52;c;dGV4dA==\u0007");
  expect(await written("text", { PATH: "/nowhere", TMUX: "/nowhere/socket,1,0" })).toContain("]52;c;");
});

test.skipIf(!hasTmux())("tmux is handed it by its own command", async () => {
  const tmux = startTmux();
  try {
    const env = { PATH: process.env["PATH"], TMUX: tmux.ask("#{socket_path},#{pid},0").trim() };
    const text = "é".repeat(30_000);
    expect(await written(text, env)).toBe("");
    expect(tmux.ask("#{buffer_size}").trim()).toBe("60000");
  } finally {
    tmux.kill();
  }
});
