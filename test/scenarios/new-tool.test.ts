// A new tool is its own file, its prose and its line in the catalog. Done in a copy of the sources, where nothing else
// changes: it is permitted by what it demands, named in rules, shown with its label and its diff, kept and resumed.
import { expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripTerminalControls } from "../../src/base/terminal-text.ts";

const ROOT = join(import.meta.dir, "..", "..");

const TOOL = `// append_note: adds a line to a file of notes.
import { appendFile, readFile } from "node:fs/promises";
import { z } from "zod";
import description from "./append-note.md" with { type: "text" };
import { labelOf } from "./call-label.ts";
import { defineTool } from "./define-tool.ts";
import { createdDiff } from "./edit-diff.ts";
import { resolveInWorkspace } from "./workspace-path.ts";

export const appendNote = defineTool({
  name: "append_note",
  kind: "write",
  description,
  schema: z.object({ file: z.string().min(1), note: z.string() }),
  demands: ({ file }, { workspace }) => [
    { type: "path", access: "write", path: resolveInWorkspace(workspace, file), extent: "file" },
  ],
  ruleTopic: "write",
  label: labelOf("Note", "file"),
  names: { hooks: "AppendNote", editors: "edit" },
  async execute({ file, note }, _context, { workspace }) {
    const path = resolveInWorkspace(workspace, file);
    await appendFile(path, note + "\\n");
    return { content: "Noted.", details: { type: "edit", path, diff: createdDiff(note), created: false } };
  },
});
`;

/** What is done with it: a session with two calls, closed, and opened again. */
const SESSION = `import { openFrontAgent } from "./src/front/agent.ts";
import { scriptedModel } from "./src/models/scripted.ts";
import { replay } from "./src/tui/state/replay.ts";
import { DEFAULT_LABELS } from "./src/tui/input/app-keys.ts";
import { createTheme } from "./src/tui/theme/theme.ts";
import { entryView } from "./src/tui/view/entry.ts";

const [cwd = "", home = ""] = process.argv.slice(2);
const call = (file) => ({ call: "append_note", args: { file, note: "buy fish" } });
const scripted = scriptedModel({ turns: [[call("notes.txt")], [call("other.txt")], [{ text: "done" }]] });
const settings = {
  cwd,
  env: { HOME: home, PATH: process.env.PATH },
  permission: { mode: "ask", rules: [{ source: "person", allow: ["append_note(notes.txt)"] }], sandbox: "off" },
  trusted: false,
  models: { scripted },
  notify: () => {},
};
const first = await openFrontAgent({ ...settings, session: { type: "new" } });
const controller = new AbortController();
const events = [];
for await (const event of first.run("go", { controller, requestId: "12345678", takeSteering: () => [], takeRemarks: () => [] })) events.push(event);
await first.close();

const again = await openFrontAgent({ ...settings, session: { type: "resume", id: first.session.id } });
const canvas = { width: 60, theme: createTheme("", "none"), now: 0, unfolded: false, highlighter: null, wordDiff: null, keys: DEFAULT_LABELS };
const calls = again.messages().flatMap(({ parts }) => parts.filter(({ kind }) => kind === "tool-call"));
const descriptions = Object.fromEntries(calls.map((call) => [call.toolCallId, again.describeCall(call)]));
const entries = replay(again.messages(), descriptions);
const drawn = entries.flatMap((entry, id) => entryView({ ...entry, id, gap: false }, canvas));
const returns = again.messages().flatMap(({ parts }) => parts.filter(({ kind }) => kind === "tool-return"));
await again.close();
const labels = events.flatMap((event) => (event.type === "batch-start" ? event.descriptions : []));
console.log(JSON.stringify({ labels, returns, drawn }));
`;

test("a tool's own file, its prose and its line in the catalog are all it takes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tunacode-new-tool-"));
  try {
    cpSync(join(ROOT, "src"), join(folder, "src"), { recursive: true });
    for (const name of ["package.json", "tsconfig.json"]) cpSync(join(ROOT, name), join(folder, name));
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    writeFileSync(join(folder, "src/tools/append-note.ts"), TOOL);
    writeFileSync(join(folder, "src/tools/append-note.md"), "Adds a line to a file of notes.\n");
    const catalog = join(folder, "src/tools/catalog.ts");
    const lines = readFileSync(catalog, "utf8")
      .replace("import { bash }", 'import { appendNote } from "./append-note.ts";\nimport { bash }')
      .replace(/^ {2}submit,$/m, "  submit,\n  appendNote,");
    writeFileSync(catalog, lines);
    writeFileSync(join(folder, "session.mjs"), SESSION);
    for (const name of ["project", "home"]) mkdirSync(join(folder, name));

    const argv = [process.execPath, "session.mjs", join(folder, "project"), join(folder, "home")];
    const run = Bun.spawn(argv, { cwd: folder, stdout: "pipe", stderr: "pipe" });
    const [output, complaints] = await Promise.all([
      new Response(run.stdout).text(),
      new Response(run.stderr).text(),
    ]);
    expect(complaints).toBe("");
    const { labels, returns, drawn } = JSON.parse(output);
    expect(readFileSync(join(folder, "project/notes.txt"), "utf8")).toBe("buy fish\n");
    expect(labels[0]).toEqual({ label: { verb: "Note", subject: "notes.txt" }, resultStyle: "head" });
    expect(returns).toMatchObject([
      { content: "Noted.", details: { type: "edit", diff: "@@ -0,0 +1,1 @@\n+buy fish" } },
      { status: "failed", details: { type: "refusal", by: "rule", unasked: true } },
    ]);
    const shown = drawn.map((line: string) => stripTerminalControls(line).trimEnd());
    expect(shown).toContainEqual(expect.stringMatching(/^✓ Note notes\.txt +\+1 -0$/));
    expect(shown).toContain("  │ 1 + buy fish");
    expect(shown).toContainEqual(expect.stringMatching(/^⊘ Note other\.txt +refused$/));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 30_000);
