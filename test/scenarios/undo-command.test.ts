// `tunacode undo`, with the built binary: what a run changed is taken back and brought again, what somebody changed
// since stays, and everything is said before and after.
import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CliLab, openCliLab } from "../support/running-binary.ts";
import { answer, call } from "../support/strict-llm-server/turn.ts";

setDefaultTimeout(60_000);

let lab: CliLab;
let project = "";
let number = 0;
beforeAll(async () => {
  lab = await openCliLab();
}, 120_000);
afterAll(() => lab.close());
beforeEach(() => {
  project = join(lab.home, `project-${number++}`);
  mkdirSync(join(project, "src"), { recursive: true });
  write("src/a.ts", "one\ntwo\n");
  write("b.txt", "b\n");
  write(".env", "KEY=value\n");
});

const write = (path: string, text: string) => writeFileSync(join(project, path), text);
const read = (path: string) =>
  existsSync(join(project, path)) ? readFileSync(join(project, path), "utf8") : null;
const undo = (...args: string[]) => lab.run(["undo", ...args], { cwd: project });
const undoJson = async (...args: string[]) => JSON.parse((await undo(...args, "--output", "json")).stdout);

/** A turn in which the model runs this command. */
async function turn(prompt: string, command: string, flags: readonly string[] = []) {
  lab.script([answer(call("bash", { command })), answer("done")]);
  const args = ["run", "--permission", "yolo", "--sandbox", "off", ...flags, prompt];
  const ended = await lab.run(args, { cwd: project });
  expect(ended).toMatchObject({ code: 0 });
}

const CHANGES =
  "sed -i s/two/TWO/ src/a.ts; rm b.txt .env; mkdir new; echo n > new/n.txt; chmod 755 src/a.ts";

function expectAsBefore() {
  expect([read("src/a.ts"), read("b.txt"), read(".env")]).toEqual(["one\ntwo\n", "b\n", "KEY=value\n"]);
  expect(statSync(join(project, "src/a.ts")).mode & 0o777).toBe(0o644);
  expect(readdirSync(project).sort()).toEqual([".env", "b.txt", "src"]);
}

function expectAsAfter() {
  expect([read("src/a.ts"), read("b.txt"), read(".env"), read("new/n.txt")]).toEqual([
    "one\nTWO\n",
    null,
    null,
    "n\n",
  ]);
  expect(statSync(join(project, "src/a.ts")).mode & 0o777).toBe(0o755);
}

test("the last turn is listed, tried out, taken back with the conversation, and brought again", async () => {
  await turn("change things", CHANGES);
  const { turns } = await undoJson("--list");
  expect(turns).toMatchObject([{ number: 1, prompt: "change things", undone: false }]);
  expect((await undo("--list")).stdout).toMatch(/^ +1 .* files .*change things\n$/);
  const tried = await undoJson("--dry-run");
  expect(tried).toMatchObject({ success: true, dry_run: true, restore_id: null });
  expectAsAfter();

  const ended = await undo();
  expect(ended.code).toBe(0);
  expect(ended.stdout).toMatch(/^restored +src\/a\.ts$/m);
  expect(ended.stdout).toMatch(/^brought back +b\.txt$/m);
  expect(ended.stdout).toMatch(/^removed +new\/n\.txt$/m);
  expectAsBefore();
  expect((await lab.run(["sessions", "show", await newest()], { cwd: project })).stdout).not.toContain(
    "> change things",
  );

  expect((await undo()).code).toBe(1);
  expectAsBefore();
  expect((await undo("--redo")).code).toBe(0);
  expectAsAfter();
  expect((await lab.run(["sessions", "show", await newest()], { cwd: project })).stdout).toContain(
    "> change things",
  );
});

async function newest(): Promise<string> {
  const { stdout } = await lab.run(["sessions", "--output", "json"], { cwd: project });
  return JSON.parse(stdout)[0].session_id;
}

test("--to goes back several turns, and --files-only leaves the conversation", async () => {
  await turn("the first", "echo 1 > b.txt");
  await turn("the second", "echo 2 > b.txt", ["-c"]);
  await turn("the third", "echo 3 >> src/a.ts", ["-c"]);
  const done = await undoJson("--to", "2", "--files-only");
  expect(done).toMatchObject({ success: true, scope: "files", conflicts: [] });
  expect([read("b.txt"), read("src/a.ts")]).toEqual(["1\n", "one\ntwo\n"]);
  const { turns } = await undoJson("--list");
  expect(turns.map((each: { undone: boolean }) => each.undone)).toEqual([false, true, true]);
  expect(await undo("--to", "9")).toMatchObject({ code: 1, stdout: "" });
});

test("what somebody changed since stays, with a diff, until --overwrite names it, and then redo has it", async () => {
  await turn("change it", "echo model > b.txt; echo model > src/a.ts");
  write("b.txt", "person\n");
  const ended = await undo();
  expect(ended.code).toBe(1);
  expect(ended.stdout).toMatch(/^conflict +b\.txt\n(?: {4}.*\n)*? {4}-person\n {4}\+b$/m);
  expect(ended.stdout).toContain("tunacode undo --redo && tunacode undo --overwrite b.txt");
  expect([read("b.txt"), read("src/a.ts")]).toEqual(["person\n", "one\ntwo\n"]);
  expect((await undo("--redo")).code).toBe(0);
  expect([read("b.txt"), read("src/a.ts")]).toEqual(["person\n", "model\n"]);
  expect((await undo("--overwrite", "nothing.txt")).code).toBe(2);
  expect((await undo("--overwrite", "b.txt")).code).toBe(0);
  expect([read("b.txt"), read("src/a.ts")]).toEqual(["b\n", "one\ntwo\n"]);
  expect((await undo("--redo")).code).toBe(0);
  expect(read("b.txt")).toBe("person\n");
});

test("what isn't covered is listed before, without a session too", async () => {
  mkdirSync(join(project, "node_modules/x"), { recursive: true });
  write("node_modules/x/index.js", "x");
  write("big.bin", "b".repeat(9 * 1024 * 1024));
  expect((await undo("--uncovered")).stdout.trimEnd().split("\n").sort()).toEqual([
    "left out   node_modules",
    "too large  big.bin",
  ]);
  expect(await undoJson("--uncovered")).toContainEqual({ path: "big.bin", why: "too_large" });
  expect((await undo("--uncovered", "abc")).code).toBe(2);
});

test("a session without changes, and a project without a session, have nothing to take back", async () => {
  expect(await undo()).toMatchObject({ code: 2, stdout: "" });
  await turn("look", "ls");
  const ended = await undo("--files-only");
  expect(ended).toMatchObject({ code: 1, stdout: "" });
  expect(ended.stderr).toContain("nothing to take back");
  expect(await undoJson("--files-only")).toMatchObject({ success: false, error: expect.any(String) });
  expect((await undo("--redo")).code).toBe(1);
});

test.each([
  [["--list", "--redo"], "exclude each other"],
  [["--to", "1", "--redo"], "exclude each other"],
  [["--list", "--dry-run"], "--list changes nothing"],
  [["one", "two"], "Only one session"],
  [["zzz"], "no session zzz"],
])("%j is a usage error: %s", async (args, problem) => {
  const { code, stderr } = await undo(...args);
  expect(code).toBe(2);
  expect(stderr).toContain(problem);
});

describe("a session that runs", () => {
  test("is not taken back from outside, but can be looked at", async () => {
    lab.script([
      answer(call("bash", { command: CHANGES })),
      { ...answer("x"), delivery: { headersAfterMs: Number.POSITIVE_INFINITY } },
    ]);
    const running = lab.start(["run", "--permission", "yolo", "--sandbox", "off", "change"], {
      cwd: project,
    });
    while (read("new/n.txt") === null) await Bun.sleep(20);
    const ended = await undo();
    expect(ended).toMatchObject({ code: 2 });
    expect(ended.stderr).toMatch(/open in|another window/);
    expectAsAfter();
    expect((await undo("--list")).code).toBe(0);
    running.child.kill("SIGKILL");
    await running.ended;
    // Nothing was saved cleanly, and it can be taken back all the same.
    expect((await undo()).code).toBe(0);
    expectAsBefore();
  });

  test("and is killed in the middle of a command leaves changes that can be taken back", async () => {
    const command = `${CHANGES}; touch started; sleep 60`;
    lab.script([answer(call("bash", { command }))]);
    const running = lab.start(["run", "--permission", "yolo", "--sandbox", "off", "change"], {
      cwd: project,
    });
    while (!existsSync(join(project, "started"))) await Bun.sleep(20);
    await Bun.sleep(1_200);
    running.child.kill("SIGKILL");
    await running.ended;
    const listed = await undo("--list");
    expect(listed.stdout).toMatch(/^ +1 .* \d files .*change\n$/);
    expect(listed.stderr).toContain("The last command was interrupted");
    expect((await undo("--dry-run")).stdout).toMatch(/^restored +src\/a\.ts$/m);
    expect((await undo()).code).toBe(0);
    expectAsBefore();
  });
});

test("the model is told which files were taken back, and nothing of what is in them", async () => {
  write(".env", "KEY=hunter2\n");
  write("clean.sh", "rm .env; echo 2 > b.txt\n");
  await turn("clean up", "sh clean.sh", ["--deny", "read(.env)"]);
  write("b.txt", "KEY=hunter2, written by a person\n");
  expect((await undo("--files-only")).code).toBe(1);
  expect(read(".env")).toBe("KEY=hunter2\n");
  await turn("go on", "ls", ["-c", "--deny", "read(.env)"]);
  const sent = lab.server.requests.map(({ text }) => text);
  expect(sent.at(-1)).toContain("took changes back");
  expect(sent.at(-1)).toContain(".env");
  expect(sent.filter((text) => text.includes("hunter2"))).toEqual([]);
});

test("an undo that is killed is finished by the next run in the project", async () => {
  await turn("make many", "mkdir many; for i in $(seq 200); do echo $i > many/$i; done; rm .env");
  const restores = join(lab.home, ".local/share/tunacode/restores");
  const isBegun = () => existsSync(restores) && readdirSync(restores).some((name) => name.endsWith(".json"));
  const undoing = lab.start(["undo"], { cwd: project });
  while (!isBegun() && undoing.child.exitCode === null) await Bun.sleep(1);
  undoing.child.kill("SIGKILL");
  await undoing.ended;
  await turn("something else", "true");
  expectAsBefore();
  expect(isBegun()).toBe(false);
});

test("an undo that is killed is finished before its session is deleted", async () => {
  await turn("make many", "mkdir many; for i in $(seq 200); do echo $i > many/$i; done; rm .env");
  const restores = join(lab.home, ".local/share/tunacode/restores");
  const isBegun = () => existsSync(restores) && readdirSync(restores).some((name) => name.endsWith(".json"));
  const id = await newest();
  const undoing = lab.start(["undo"], { cwd: project });
  while (!isBegun() && undoing.child.exitCode === null) await Bun.sleep(1);
  undoing.child.kill("SIGKILL");
  await undoing.ended;
  expect((await lab.run(["sessions", "delete", id], { cwd: project })).code).toBe(0);
  expectAsBefore();
  expect(isBegun()).toBe(false);
  expect((await undo(id)).code).toBe(2);
});

test("deleting a session frees what was kept for it, and limits delete old ones at the next start", async () => {
  await turn("the first", "rm .env");
  const first = await newest();
  const { files } = JSON.parse(
    (await lab.run(["sessions", "path", first, "--output", "json"], { cwd: project })).stdout,
  );
  expect(existsSync(join(files, "blobs"))).toBe(true);
  expect((await lab.run(["doctor", first], { cwd: project })).stdout).toMatch(/^ok +undo .*none damaged$/m);
  expect((await lab.run(["sessions", "delete", first], { cwd: project })).code).toBe(0);
  expect(existsSync(files)).toBe(false);

  await turn("the second", "echo 2 > b.txt");
  const second = await newest();
  const config = join(lab.home, ".config");
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "tunacode.json"), '{"settings": {"sessions": {"keep_count": 1}}}', {
    mode: 0o600,
  });
  await turn("the third", "echo 3 > b.txt");
  rmSync(config, { recursive: true });
  const { stdout } = await lab.run(["sessions", "--all"], { cwd: project });
  expect(stdout).toContain("the third");
  expect(stdout).not.toContain(second.slice(0, 8));
});
