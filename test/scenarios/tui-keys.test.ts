// Keys that a person has bound work, and every hint names them.
import { expect, test } from "bun:test";
import { startApp } from "../support/terminal-app.ts";

const HANGING = { turns: () => [{ text: "begun" }, { hang: true as const }] };

test("rebound keys work, and hints and /help name them", async () => {
  const keys = { stop: ["ctrl+x"], queue: ["f2"], unfold: ["f3"], clear: ["f4"] };
  const app = startApp({ ...HANGING, options: { prompt: "go", keys } });
  const running = (await app.see("begun")).join("\n");
  expect(running).toContain("Ctrl-X stops");
  expect(running).toContain("Enter steers · F2 queues · Ctrl-X stops");
  expect(running).not.toContain("Esc");
  app.press("escape");
  app.terminal.input("\u0018");
  await app.see("Stopped.");
  app.type("/help");
  app.press("enter");
  await app.see("/exit");
  const help = (await app.terminal.everything()).join("\n");
  for (const row of [/F2 +while it runs/, /F3 +the whole conversation/, /F4 +clear the line/])
    expect(help).toMatch(row);
  expect(help).not.toContain("Ctrl-O");
  app.terminal.input("\u001bOR");
  await app.see("Esc closes");
  app.terminal.input("\u001bOR");
  await app.lose("Esc closes");
  app.terminal.input("\u001bOS");
  await app.see("Press F4 again to leave");
  app.terminal.input("\u001bOS");
  expect(await app.ended).toBe(0);
});

test("a key that can't be used is told at the start", async () => {
  const app = startApp({ options: { keys: { sotp: ["ctrl+x"], unfold: ["ctrl-o"] } } });
  await app.see("settings.keys.sotp is not a known action and has no effect. Was stop meant?");
  await app.see('"ctrl-o" is not a key that can be used. Was "ctrl+o"');
  await app.leave();
});
