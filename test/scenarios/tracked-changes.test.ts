// What a request's calls change on disk becomes events and records, each with the call that did it, and what somebody
// else changes meanwhile is told apart.
import { afterEach, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openAgent } from "../../src/app/compose.ts";
import { type RequestOptions, runRequest } from "../../src/app/run-request.ts";
import type { AgentSettings } from "../../src/app/settings.ts";
import type { AgentEvent } from "../../src/domain/event.ts";
import type { ChangedBy, FileChange } from "../../src/domain/file-change.ts";
import { type ScriptedTurn, scriptedModel } from "../../src/models/scripted.ts";
import { nodeDisk } from "../../src/session/disk.ts";
import { findJournal } from "../../src/session/read-files.ts";
import { decodeEntry } from "../../src/session/stored-entry.ts";

const places: string[] = [];
afterEach(() => {
  for (const place of places.splice(0)) rmSync(place, { recursive: true, force: true });
});

type Files = Readonly<Record<string, string>>;

async function project(turns: readonly ScriptedTurn[], files: Files, more: Partial<AgentSettings> = {}) {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "tunacode-changes-")));
  places.push(place);
  const root = join(place, "project");
  const path = (name: string) => join(root, name);
  const write = (name: string, text: string) => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
  };
  mkdirSync(root);
  for (const [name, text] of Object.entries(files)) write(name, text);
  const model = scriptedModel({ turns });
  const notices: string[] = [];
  const agent = await openAgent({
    cwd: root,
    env: { HOME: place, PATH: process.env["PATH"], XDG_DATA_HOME: join(place, "data") },
    session: { type: "new" },
    models: { scripted: model },
    permission: { mode: "yolo", rules: [], sandbox: "off" },
    trusted: false,
    notify: (text) => notices.push(text),
    ...more,
  });
  const ask = async (onEvent: (event: AgentEvent) => void = () => {}, options: RequestOptions = {}) => {
    const events: AgentEvent[] = [];
    for await (const event of runRequest("go", model, agent.manager, options)) {
      events.push(event);
      onEvent(event);
    }
    return events;
  };
  return { agent, ask, write, path, notices, sessions: join(place, "data/tunacode/sessions") };
}

const bash = (command: string, id: string) => ({ call: "bash", args: { command }, id });

function shown(by: ChangedBy, changes: readonly FileChange[]): string {
  const names = changes.map(({ path, before, after }) => `${path}:${before.type}>${after.type}`).sort();
  return `${by.type === "call" ? by.toolCallId : by.type} ${names.join(" ")}`;
}

/** tool-start and files-changed, in order. */
function outline(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === "tool-start") return [`start ${event.toolCallId}`];
    if (event.type === "request-end") return [event.outcome.type];
    return event.type === "files-changed" ? [shown(event.by, event.changes)] : [];
  });
}

async function journalled(journal: string): Promise<string[]> {
  const found = await findJournal(nodeDisk, journal);
  if (found.status !== "good") throw new Error(found.status);
  return found.read.records.flatMap((record) => {
    const entry = decodeEntry(record, () => undefined);
    return typeof entry === "object" && entry.kind === "files" ? [shown(entry.by, entry.changes)] : [];
  });
}

test("each call's changes are told, and in the journal, before the next call that writes starts", async () => {
  const { agent, ask } = await project(
    [
      [
        bash("rm -r old; echo 2 > b; mkdir empty", "c1"),
        { call: "write_file", args: { filepath: "new/deep/file.txt", content: "x" }, id: "c2" },
        bash("cat b", "c3"),
      ],
      [{ delayMs: 30 }, bash("chmod 755 b; ln -s b link", "c4")],
      [{ text: "done" }],
    ],
    { "old/one": "1", b: "1" },
  );
  const told = outline(await ask());
  expect(told).toEqual([
    "start c1",
    "c1 b:file>file empty:absent>folder old/one:file>absent old:folder>absent",
    "start c2",
    "c2 new/deep/file.txt:absent>file new/deep:absent>folder new:absent>folder",
    "start c3",
    "start c4",
    "c4 b:file>file link:absent>link",
    "completed",
  ]);
  const paths = agent.session.writer?.paths;
  await agent.close();
  expect(await journalled(paths?.journal ?? "")).toEqual(told.filter((line) => /^c\d .*>/.test(line)));
  expect(readdirSync(paths?.files ?? "").toSorted()).toEqual(["blobs"]);
});

test("what somebody else writes between two calls is theirs", async () => {
  const { agent, ask, write } = await project(
    [[bash("echo 1 > mine", "c1")], [{ delayMs: 20 }, bash("echo 2 > theirs", "c2")], [{ text: "done" }]],
    { theirs: "1", mine: "0" },
  );
  const told = outline(
    await ask((event) => {
      if (event.type === "node-start" && event.iteration === 2) write("theirs", "by somebody");
    }),
  );
  expect(told).toEqual([
    "start c1",
    "c1 mine:file>file",
    "other theirs:file>file",
    "start c2",
    "c2 theirs:file>file",
    "completed",
  ]);
  await agent.close();
});

test("a request that is stopped in the middle of a command tells what the command had done", async () => {
  const { agent, ask } = await project([[bash("rm -r old; echo gone; sleep 60", "c1")]], { "old/one": "1" });
  const controller = new AbortController();
  const told = outline(
    await ask(
      (event) => {
        if (event.type === "tool-progress") controller.abort();
      },
      { controller },
    ),
  );
  expect(told).toEqual(["start c1", "c1 old/one:file>absent old:folder>absent", "aborted"]);
  await agent.close();
});

test.each<[string, Partial<AgentSettings>]>([
  ["no session", { session: { type: "none" } }],
  ["undo switched off", { undo: { enabled: false } }],
])("with %s nothing is followed", async (_, more) => {
  const { agent, ask, sessions } = await project(
    [[bash("echo 2 > b", "c1")], [{ text: "done" }]],
    { b: "1" },
    more,
  );
  expect(agent.changes).toBeNull();
  expect(outline(await ask())).toEqual(["start c1", "completed"]);
  await agent.close();
  const left = existsSync(sessions) ? readdirSync(sessions) : [];
  expect(left.filter((name) => name.endsWith(".files"))).toEqual([]);
});

test("as long as nothing is written, nothing is looked at", async () => {
  const turns = [[{ call: "read_file", args: { filepath: "b" } }], [{ delayMs: 120 }, { text: "done" }]];
  const readOnly = { mode: "read-only", rules: [], sandbox: "off" } as const;
  const { agent, ask, sessions } = await project(turns, { b: "1" }, { permission: readOnly });
  await ask();
  await agent.close();
  expect(readdirSync(sessions).filter((name) => name.endsWith(".files"))).toEqual([]);
});
