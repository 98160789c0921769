// The status bar at several widths, and the title of the window.
import { expect, test } from "bun:test";
import { PLAIN_CANVAS } from "../../../test/support/plain-canvas.ts";
import { stripTerminalControls } from "../../base/terminal-text.ts";
import { INITIAL_VIEW, type ViewState } from "../state/view-state.ts";
import { statusBarView, windowTitle } from "./status-bar.ts";

const STATE: ViewState = {
  ...INITIAL_VIEW,
  sessionId: "a",
  model: { name: "anthropic:claude-sonnet-5", contextWindow: 1_000_000 },
  branch: "main",
  folder: "~/work/parser",
};

function bar(changes: Partial<ViewState>, width: number): string {
  const canvas = { ...PLAIN_CANVAS, width };
  const text = stripTerminalControls(statusBarView({ ...STATE, ...changes }, canvas).join(""));
  return text.trim().replace(/ {2,}/g, "  ");
}

test("the folder is shown as a path, as a name, or not at all, depending on the room", () => {
  const left = "ask · anthropic:claude-sonnet-5 · 0/1.0M 0%";
  expect(bar({}, 80)).toBe(`${left}  ~/work/parser · git:main`);
  expect(bar({}, 65)).toBe(`${left}  parser · git:main`);
  expect(bar({}, 60)).toBe(`${left}  git:main`);
  expect(bar({ branch: null, folder: "~" }, 80)).toBe(`${left}  ~`);
  expect(bar({ sandbox: true }, 80)).toBe(`${left}  parser · sandbox · git:main`);
  expect(bar({ sandbox: true }, 54)).toBe(`${left}  sandbox`);
});

test("a model that answers in place of the chosen one is shown, with its own window", () => {
  const standIn = { name: "ollama:qwen3", contextWindow: 32_000 };
  expect(bar({ standIn, folder: "", branch: null }, 100)).toBe(
    "ask · ollama:qwen3 (for anthropic:claude-sonnet-5) · 0/32k 0%",
  );
});

test("the folder never replaces another fact", () => {
  const facts: Partial<ViewState> = { title: "Fix the odd parser" };
  const title = "git:main · Fix the odd parser";
  for (let width = 46; width < 120; width++) {
    const without = bar({ ...facts, folder: "" }, width);
    const shown = bar(facts, width);
    for (const fact of without.split(/ {2}| · /)) expect(shown).toContain(fact);
  }
  expect(bar(facts, 80)).toEndWith(title);
  expect(bar(facts, 100)).toEndWith(`~/work/parser · ${title}`);
});

test("the window's title names the folder, and what the conversation is about", () => {
  expect(windowTitle(STATE)).toBe("tunacode · parser");
  expect(windowTitle({ ...STATE, title: "Fix it" })).toBe("tunacode · parser: Fix it");
  expect(windowTitle(INITIAL_VIEW)).toBe("tunacode");
});
