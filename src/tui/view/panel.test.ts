// Tables in little room.
import { expect, test } from "bun:test";
import { PLAIN_CANVAS } from "../../../test/support/plain-canvas.ts";
import { stripTerminalControls } from "../../base/terminal-text.ts";
import { panelView } from "./panel.ts";

/** Without the title. */
const shown = (rows: readonly (readonly string[])[], width: number) =>
  panelView({ title: "Title", rows }, { ...PLAIN_CANVAS, width })
    .slice(1)
    .map((line) => line.trimEnd());

test("the last column wraps under itself and keeps its line breaks", () => {
  expect(shown([["/export", "write the conversation to a file\nor not"]], 32)).toEqual([
    "  /export  write the",
    "           conversation to a",
    "           file",
    "           or not",
  ]);
});

test("the other columns are as wide as their content and leave room for the last one", () => {
  expect(
    shown(
      [
        ["ok", "git", "2.39"],
        ["failure", "a very long name of a check", "it is not there"],
      ],
      50,
    ).map(stripTerminalControls),
  ).toEqual(["  ok       git           2.39", "  failure  a very long…  it is not there"]);
});

test("control sequences are not drawn", () => {
  expect(shown([["a\u001b[2J", "b\u001b]0;evil\u0007"]], 40)).toEqual(["  a  b"]);
});
