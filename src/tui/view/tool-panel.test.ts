// What a person sees of a tool call.
import { expect, test } from "bun:test";
import { PLAIN_CANVAS } from "../../../test/support/plain-canvas.ts";
import { stripTerminalControls } from "../../base/terminal-text.ts";
import { pendingTool, type ToolEntry } from "../state/entry.ts";
import { toolPanelView } from "./tool-panel.ts";

const CANVAS = { ...PLAIN_CANVAS, width: 60 };

function panel(command: string, result: string, more: Partial<ToolEntry> & { unfolded?: boolean } = {}) {
  const { unfolded = false, ...changes } = more;
  const description = {
    label: { verb: "Run", subject: command, whole: command },
    resultStyle: "tail",
  } as const;
  const pending = pendingTool({ toolCallId: "a", toolName: "t", args: { command } }, description);
  const entry = { ...pending, status: "completed", result, ...changes } as const;
  return toolPanelView(entry, { ...CANVAS, unfolded }).map((line) => stripTerminalControls(line).trimEnd());
}

function ended(exitCode: number, output: string, earlierLines = 0) {
  return { details: { type: "command", exitCode, sandboxed: false, output, earlierLines } as const };
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `out ${index}`).join("\n");

test("a successful command shows its own output, not what the model is told about every command", () => {
  expect(panel("touch a", "(no output)\n[Exit code 0, 0.0 s.]", ended(0, ""))).toEqual(["✓ Run touch a"]);
  const listed = panel("ls", "a\nb\n[Exit code 0, 0.0 s.]", ended(0, "a\nb"));
  expect(listed).toEqual(["✓ Run ls", "  │ a", "  │ b"]);
  const moved = "[The working directory is now x.]";
  const lines = panel("cd x", `(no output)\n[Exit code 0, 0.0 s.]\n${moved}`, ended(0, moved));
  expect(lines).toEqual(["✓ Run cd x", `  │ ${moved}`]);
});

test("lines that were dropped before the kept end of an output are counted, too", () => {
  const lines = panel("make", numbered(100), ended(0, numbered(8), 92));
  expect(lines.slice(1, 3)).toEqual(["  │ … 94 more lines (Ctrl-O shows all)", "  │ out 2"]);
  expect(panel("make", numbered(100), { ...ended(0, numbered(8), 92), unfolded: true }).length).toBe(101);
});

test("a failed command shows the end of its output and its exit code", () => {
  const lines = panel("make", `${numbered(20)}\n[Exit code 2, 0.0 s.]`, {
    status: "failed",
    ...ended(2, numbered(20)),
  });
  expect(lines.slice(1)).toEqual([
    "  │ … 15 more lines (Ctrl-O shows all)",
    ...[15, 16, 17, 18, 19].map((index) => `  │ out ${index}`),
    "  │ [Exit code 2, 0.0 s.]",
  ]);
});

test("an interrupted command keeps what it had printed", () => {
  const result = "Interrupted while it ran. Its effects are unknown: check the state of things.";
  const lines = panel("make", result, { status: "cancelled", progress: "out 1\nout 2\n" });
  expect(lines.slice(1, 3)).toEqual(["  │ out 1", "  │ out 2"]);
  const whole = panel("make", `out 1\nout 2\n[${result}]`, {
    status: "cancelled",
    progress: "out 1\nout 2\n",
  });
  expect(whole.filter((line) => line.includes("out 1"))).toHaveLength(1);
  expect(
    lines
      .slice(3)
      .map((line) => line.slice(4))
      .join(" "),
  ).toBe(result);
});

test("a call that a person or a rule refused is not shown as a failure", () => {
  const [head, ...rest] = panel("rm x", "The person said no: keep it", { status: "refused" });
  expect(head).toMatch(/^⊘ Run rm x +refused$/);
  expect(rest).toEqual(["  │ The person said no: keep it"]);
});

test("a single line is not folded, because the remark would take as much room", () => {
  expect(panel("ls", numbered(7), ended(0, numbered(7))).length).toBe(8);
  expect(panel("ls", numbered(8), ended(0, numbered(8))).length).toBe(8);
});

test("an error is wrapped, not cut", () => {
  const error = "read_file failed: nope.txt doesn't exist. Nothing in that directory has a similar name.";
  const lines = panel("", error, { resultStyle: "count", status: "failed" });
  expect(
    lines
      .slice(1)
      .map((line) => line.slice(4))
      .join(" "),
  ).toBe(error);
});

test("a command that doesn't fit into a line is shown whole where nothing is folded", () => {
  const command = "cat > a <<X\nsome text\nX\nrm -rf build";
  expect(panel(command, "", { unfolded: true }).join("\n")).toContain("  │ X\n  │ rm -rf build");
  expect(panel(command, "").length).toBe(1);
  expect(panel("ls", "", { unfolded: true })).toEqual(["✓ Run ls"]);
});

test("nothing in the row of a call is hidden, and nothing in it can reorder or overwrite the row", () => {
  expect(panel("touch x #\rls \u202egnp", "", {})).toEqual(["✓ Run touch x #⟨U+000D⟩ls ⟨U+202E⟩gnp"]);
  const diff = "@@ -1,1 +1,1 @@\n-a\n+evil\rgood\u2066";
  const edited = panel("a", "done", { details: { type: "edit", path: "a", diff, created: false } });
  expect(edited.at(-1)).toBe("  │ 1 + evil⟨U+000D⟩good⟨U+2066⟩");
});
