// Rules and folders that a person adds and removes in the app: on the screen, in plain lines, and over restarts.
import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { defined } from "../../src/base/defined.ts";
import { rememberedRules } from "../../src/config/remembered-rules.ts";
import type { ModelRequest } from "../../src/domain/model.ts";
import type { PermissionQuestion } from "../../src/domain/permission.ts";
import { Desk } from "../../src/front/desk.ts";
import type { FrontPorts } from "../../src/front/ports.ts";
import { type ScriptedTurn, scriptedModel } from "../../src/models/scripted.ts";
import { runPlainApp } from "../../src/tui/plain-app.ts";
import { scriptedProject } from "../support/scripted-project.ts";
import { type RunningApp, startApp } from "../support/terminal-app.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface Place {
  readonly home: string;
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
}

function person(): Place {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "tunacode-rules-")));
  folders.push(home);
  const root = join(home, "project");
  mkdirSync(join(root, ".git"), { recursive: true });
  mkdirSync(join(home, "library"));
  return { home, root, env: { HOME: home, PATH: "/usr/bin:/bin" } };
}

const writes = (...paths: readonly string[]): readonly ScriptedTurn[] => [
  ...paths.map((filepath) => [{ call: "write_file", args: { filepath, content: "text\n" } }]),
  [{ text: "the end" }],
];

/** The app on a real project, with the labels of all offers that its questions made. */
function open(
  { root, env }: Place,
  turns: readonly ScriptedTurn[],
  { deny = [] }: { readonly deny?: readonly string[] } = {},
) {
  const asked: PermissionQuestion[] = [];
  const requests: ModelRequest[] = [];
  const ports = scriptedProject({
    cwd: root,
    env,
    session: { type: "none" },
    model: scriptedModel({ name: "demo:script", turns, onRequest: (request) => requests.push(request) }),
    mode: "ask",
    deny,
    remembered: rememberedRules(env),
  });
  const openAgent: FrontPorts["openAgent"] = (choice, { askPermission, ...rest }, opening) => {
    const counted = (question: PermissionQuestion, signal: AbortSignal) => {
      asked.push(question);
      return askPermission(question, signal);
    };
    return ports.openAgent(choice, { ...rest, askPermission: counted }, opening);
  };
  return { asked, requests, ports: { ...ports, openAgent } };
}

async function started(
  place: Place,
  turns: readonly ScriptedTurn[],
  { deny, prompt }: { readonly deny?: readonly string[]; readonly prompt?: string } = {},
) {
  const { ports, ...seen } = open(place, turns, defined({ deny }));
  const app = startApp({ ports, options: { session: { type: "none" }, ...defined({ prompt }) }, rows: 40 });
  await app.see(prompt ?? "Ask anything");
  return { app, ...seen };
}

async function say(app: RunningApp, line: string): Promise<void> {
  app.type(line);
  app.press("escape");
  app.press("enter");
}

/** Takes the offer with these words in its label, by the key that is drawn before it. */
async function take(app: RunningApp, words: string): Promise<void> {
  const line = (await app.see(words)).find((each) => each.includes(words)) ?? "";
  const key = /^│ [❯ ] (\w) {2}Yes, /.exec(line)?.[1] ?? "";
  app.type(key);
  // Otherwise the letter waits for what may be the next one of a word.
  app.press("enter");
}

describe("in the app", () => {
  test("all edits in this session: ten files, one question; secrets and hooks are asked about", async () => {
    const place = person();
    const files = Array.from({ length: 10 }, (_, index) => `src/file-${index}.ts`);
    const { app, asked } = await started(place, writes(...files, ".git/hooks/post-commit"), {
      prompt: "go",
    });
    await take(app, "all edits in the project");
    await app.see(".git/hooks/post-commit");
    await app.until(() => asked.length === 2);
    for (const file of files) expect(existsSync(join(place.root, file))).toBe(true);
    expect(existsSync(join(place.root, ".git/hooks/post-commit"))).toBe(false);
    app.press("escape");
    await app.leave();
  });

  test("for good: a second start doesn't ask, a removed rule asks again, and a deny rule wins", async () => {
    const place = person();
    const first = await started(place, writes("a.txt"), { prompt: "go" });
    await take(first.app, "and never ask again in this project: write(a.txt)");
    await first.app.see("the end");
    await first.app.leave();
    const stored = readFileSync(rememberedRules(place.env).path, "utf8");
    expect(stored).toContain(`"project":"${place.root}"`);
    expect(existsSync(join(place.root, ".tunacode.json"))).toBe(false);

    const written = join(place.root, "a.txt");
    rmSync(written);
    const second = await started(place, [...writes("a.txt"), ...writes("a.txt")]);
    await say(second.app, "go");
    await second.app.see("the end");
    expect(second.asked).toEqual([]);
    rmSync(written);
    await say(second.app, "/permissions remove write(a.txt)");
    await second.app.see("Removed: allow write(a.txt)");
    await say(second.app, "go");
    await second.app.see("Asked because: It would write a.txt.");
    second.app.press("escape");
    await second.app.leave();

    rememberedRules(place.env).keep(place.root, { verdict: "allow", text: "write(a.txt)" });
    const denied = await started(place, writes("a.txt"), { deny: ["write(*.txt)"] });
    await say(denied.app, "go");
    await denied.app.see("the end");
    expect(denied.asked).toEqual([]);
    expect(existsSync(written)).toBe(false);
    await denied.app.leave();
  });

  test("a rule is added and chosen from the list to be removed; a wrong one is refused with the reason", async () => {
    const { app, asked } = await started(person(), [...writes("a.txt"), ...writes("a.txt")]);
    await say(app, "/permissions add allow write(*.txt)");
    await app.see("Added: allow write(*.txt), in this session.");
    await say(app, "go");
    await app.see("the end");
    expect(asked).toEqual([]);
    for (const [line, reason] of [
      ["/permissions add allow Bash(ls)", "the tool is called bash"],
      ["/permissions add deny bash(", "it must be TOOL or TOOL(PATTERN)"],
      ["/permissions add bash(ls)", "needs allow, ask or deny before it"],
      ["/permissions remove bash(make)", "There is no rule bash(make)"],
      ["/permissions maybe", "The mode is one of"],
    ] as const) {
      await say(app, line);
      await app.see(reason);
    }
    await say(app, "/permissions rules");
    await app.see("Choose a rule to remove it");
    app.press("enter");
    await app.see("Removed: allow write(*.txt)");
    await say(app, "go");
    await app.see("May this file be written?");
    app.press("escape");
    await app.leave();
  });

  test("a rule that stands elsewhere is not removed, and it is said where it stands", async () => {
    const { app } = await started(person(), [], { deny: ["bash(rm)"] });
    await say(app, "/permissions remove deny bash(rm)");
    await app.see("It is in your configuration");
    await app.leave();
  });

  test("a folder that is added is part of the project, and the model is told with the next prompt", async () => {
    const place = person();
    const file = join(place.home, "library", "a.txt");
    const { app, asked, requests } = await started(place, writes(file));
    await say(app, "/add-dir ../nowhere");
    await app.see("it is not a folder");
    await say(app, "/add-dir ../library");
    await app.see("is part of the project in this session");
    await say(app, "/add-dir");
    await app.see(join(place.home, "library"));
    await say(app, "/permissions add allow write");
    await app.see("Added: allow write");
    await say(app, "go");
    await app.see("the end");
    expect(asked).toEqual([]);
    expect(readFileSync(file, "utf8")).toBe("text\n");
    const told = `[The person made ${join(place.home, "library")} part of the project.]`;
    expect(JSON.stringify(requests[0]?.messages)).toContain(told);
    await app.leave();
  });
});

test("what a custom command or the model writes is no command, even if it begins like one", async () => {
  const place = person();
  const line = "/permissions add allow bash";
  const { asked, ports } = open(place, [[{ text: line }], ...writes("a.txt")]);
  const custom = { name: "trick", description: "", expand: () => line };
  const app = startApp({
    ports: { ...ports, customCommands: async () => [custom] },
    options: { session: { type: "none" } },
  });
  await app.see("Ask anything");
  await say(app, "/trick");
  await app.over();
  await say(app, "/permissions rules");
  await app.see("There are no rules.");
  expect(asked).toEqual([]);
  await app.leave();
});

test.each(["/permissions add allow bash", "/yolo", "/add-dir /", "!touch made", "!!touch made"])(
  "%s on the command line is a prompt, because a shell may have put in what others wrote",
  async (line) => {
    const place = person();
    const { app, requests } = await started(place, [[{ text: "the end" }]], { prompt: line });
    await app.see("the end");
    expect(JSON.stringify(requests[0]?.messages)).toContain(line);
    expect(existsSync(join(place.root, "made"))).toBe(false);
    await say(app, "/permissions rules");
    await app.see("There are no rules.");
    await app.see(" ask · demo:script");
    await app.leave();
  },
);

test("in plain lines a rule is added, listed by number and removed", async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  let printed = "";
  output.on("data", (chunk) => {
    printed += chunk;
  });
  const { ports } = open(person(), []);
  const ended = runPlainApp(new Desk(ports), { session: { type: "none" }, input, output });
  const see = async (text: string) => {
    const deadline = performance.now() + 4_500;
    while (!printed.includes(text)) {
      if (performance.now() > deadline) throw new Error(`It was not printed: ${text}\n${printed}`);
      await Bun.sleep(10);
    }
  };
  await see("tunacode is ready");
  input.write("/permissions add always deny bash(rm)\n");
  await see("Added: deny bash(rm), always, in this project.");
  input.write("/permissions rules\n");
  await see("1: deny bash(rm). kept for this project");
  input.write("1\n");
  await see("Removed: deny bash(rm)");
  input.end();
  expect(await ended).toBe(0);
});
