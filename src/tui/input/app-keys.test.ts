// Keys as a configuration binds them: what matches, what people are told to press, and what can't be used.
import { describe, expect, test } from "bun:test";
import { createAppKeys, DEFAULT_LABELS } from "./app-keys.ts";

test("without a configuration the default keys apply", () => {
  const { matches, labels, problems } = createAppKeys();
  expect([matches("\u001b", "stop"), matches("\u0018", "stop")]).toEqual([true, false]);
  expect(labels).toEqual(DEFAULT_LABELS);
  expect(labels).toMatchObject({
    stop: ["Esc"],
    clear: ["Ctrl-C"],
    queue: ["Alt-Enter"],
    nextMode: ["Shift-Tab"],
    send: ["Enter"],
    newLine: ["Shift-Enter", "Ctrl-J"],
  });
  expect(problems).toEqual([]);
});

test("an action has the keys it was bound to, and no others", () => {
  const { matches, labels, problems } = createAppKeys({ stop: ["ctrl+x", "f2"], suspend: [] });
  expect([matches("\u0018", "stop"), matches("\u001b", "stop"), matches("\u001a", "suspend")]).toEqual([
    true,
    false,
    false,
  ]);
  expect([labels.stop, labels.suspend]).toEqual([["Ctrl-X", "F2"], []]);
  expect(problems).toEqual([]);
});

describe("what can't be used is told, and the default stays", () => {
  test.each<[string, Record<string, string[]>, string]>([
    ["an unknown action", { sotp: ["ctrl+x"] }, "settings.keys.sotp is not a known action"],
    ["with the nearest one", { sotp: ["ctrl+x"] }, "Was stop meant?"],
    ["an unknown editor action", { "tui.editor.undoo": ["ctrl+x"] }, "Was tui.editor.undo meant?"],
    ["an unknown modifier", { stop: ["cntrl+x"] }, 'settings.keys.stop: "cntrl+x" is not a key'],
    ["with the nearest key", { stop: ["cntrl+x"] }, 'Was "ctrl+x" meant?'],
    ["another program's notation", { stop: ["Ctrl-X"] }, 'Was "ctrl+x" meant?'],
    ["another name", { stop: ["control+pgup"] }, 'Was "ctrl+pageup" meant?'],
    ["an unknown key", { stop: ["escpae"] }, 'Was "escape" meant?'],
    ["a plus", { stop: ["ctrl++"] }, '"ctrl++" is not a key'],
    ["nothing like a key", { stop: ["the big red one"] }, "is not a key that can be used."],
    ["a letter", { stop: ["q"] }, "writes a character"],
    ["a capital", { stop: ["shift+q"] }, "writes a character"],
  ])("%s", (_name, overrides, told) => {
    const { labels, problems } = createAppKeys(overrides);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(told);
    expect(labels.stop).toEqual(["Esc"]);
  });

  test.each<[string, Record<string, string[]>, string[]]>([
    ["a default", { stop: ["ctrl+c"] }, ['"ctrl+c" is bound to stop and clear and tui.input.copy.']],
    ["each other, told once", { redraw: ["f5"], queue: ["F5"] }, ['"f5" is bound to queue and redraw.']],
    ["the editor's", { unfold: ["ctrl+k"] }, ["unfold and tui.editor.deleteToLineEnd. Only unfold gets it."]],
    ["one that was moved away", { stop: ["ctrl+l"], redraw: ["f5"] }, []],
    ["a list's, which is at another moment", { "tui.select.confirm": ["ctrl+o"] }, []],
  ])("two actions with one key: %s", (_name, overrides, told) => {
    const { problems } = createAppKeys(overrides);
    expect(problems).toHaveLength(told.length);
    for (const [index, text] of told.entries()) expect(problems[index]).toContain(text);
  });
});
