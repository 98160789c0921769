// Undo where somebody works against it: journals from elsewhere, repositories that want to run programs, folders that
// are swapped for symlinks, things that are no longer what they were.
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawn } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ABSENT, type FileImage } from "../../src/domain/file-change.ts";
import { createCamera, type DiskPicture, differences, sha256Hex } from "../support/disk-picture.ts";
import { git } from "../support/permission-project.ts";
import { runProgram } from "../support/run-program.ts";
import { openUndoProject } from "../support/undo-agent.ts";

const LONG = process.env["TUNACODE_LONG"] === "1";
const LIMIT_MS = 60_000;

setDefaultTimeout(LIMIT_MS);

let base = "";
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "tunacode-attack-")));
  mkdirSync(join(base, "project"));
});
afterEach(() => {
  rmSync(base, { recursive: true, force: true });
});

const last = { target: { type: "last" }, scope: "files" } as const;

/** What a journal may name. The last one is in the project, so that the others were really tried. */
const NAMED = [
  "../outside.txt",
  "inner/../../outside.txt",
  "/BASE/outside.txt",
  "./../outside.txt",
  "inner//../../outside.txt",
  "way-out/outside.txt",
  "way-out/.git/hooks/pre-commit",
  ".git",
  ".git/config",
  ".git/hooks/post-checkout",
  ".GIT/config",
  "inner/.git",
  "inner/.git/config",
  "",
  ".",
  "..",
  "inner\0/x",
  "inner/new.txt",
];

test("a journal from elsewhere can have nothing changed outside the project, nor anything of git's", async () => {
  const bait = "bait\n";
  put("outside.txt", "precious\n");
  put("project/inner/.git/config", "[core]\n");
  put("project/.git/config", "[core]\n");
  put("project/file.txt", bait);
  symlinkSync("..", join(base, "project/way-out"));
  const project = await openUndoProject(base);
  // The bytes of the bait are kept, as they would be in a session that somebody else made.
  const events = await project.run("echo changed > file.txt", "echo again > file.txt");
  const toolCallId = events.find((event) => event.type === "tool-start")?.toolCallId ?? "";
  const paths = NAMED.map((path) => path.replace("/BASE", base));
  const changes = paths.map((path) => ({ path, before: imageOf(bait), after: imageAt(project.root, path) }));
  const by = { type: "call", toolCallId } as const;
  await project.agent.session.writer?.record({ type: "files-changed", by, changes });
  const outside = outsidePicture();
  const gitFiles = createCamera(project.root).takeGit();
  await project.undo.goBack(last, paths);
  expect(differences(outside, outsidePicture())).toEqual([]);
  expect(differences(gitFiles, createCamera(project.root).takeGit())).toEqual([]);
  expect(readFileSync(join(project.root, "inner/new.txt"), "utf8")).toBe(bait);
  await project.close();
});

/** Everything beside the project, but for what is ours. */
function outsidePicture(): DiskPicture {
  const picture = createCamera(base).take();
  return new Map([...picture].filter(([path]) => !/^(?:project|home)(?:\/|$)/.test(path)));
}

function imageOf(text: string): FileImage {
  return { type: "file", content: `sha256:${sha256Hex(text)}`, mode: 0o644, size: text.length };
}

/** As if the run had left what is there. */
function imageAt(root: string, path: string): FileImage {
  const place = path.startsWith("/") ? path : join(root, path.replace("\0", ""));
  const isFile = existsSync(place) && lstatSync(place).isFile();
  return isFile ? imageOf(readFileSync(place, "utf8")) : ABSENT;
}

test("a repository that wants programs to be run when somebody lists it gets none to run", async () => {
  const root = join(base, "project");
  const trap = join(base, "trap");
  writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> ${join(base, "sprung")}\ncat\n`, { mode: 0o755 });
  put("project/a.txt", "one\n");
  put("project/b.rot", "two\n");
  put("project/.gitattributes", "*.rot filter=trap\n*.txt diff=trap\n");
  git(root, "init", "-q");
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "first");
  for (const [key, value] of [
    ["core.fsmonitor", trap],
    ["core.hooksPath", base],
    ["core.pager", trap],
    ["core.sshCommand", trap],
    ["core.editor", trap],
    ["core.alternateRefsCommand", trap],
    ["filter.trap.clean", trap],
    ["filter.trap.smudge", trap],
    ["filter.trap.process", trap],
    ["filter.trap.required", "true"],
    ["diff.trap.command", trap],
    ["diff.trap.textconv", trap],
    ["diff.external", trap],
    ["credential.helper", trap],
    ["gpg.program", trap],
    ["uploadpack.packObjectsHook", trap],
    ["extensions.partialClone", "origin"],
    ["remote.origin.url", `ext::${trap}`],
    ["remote.origin.promisor", "true"],
    ["protocol.ext.allow", "always"],
    ["alias.ls-files", `!${trap}`],
    ["alias.cat-file", `!${trap}`],
  ] as const)
    git(root, "config", key, value);
  const blob = join(root, ".git/objects");
  const project = await openUndoProject(base);
  const camera = createCamera(root);
  const before = camera.take();
  // Without this object git would fetch it, by running a program.
  const { stdout } = await runProgram(["git", "hash-object", "a.txt"], { cwd: root });
  rmSync(join(blob, stdout.slice(0, 2)), { recursive: true, force: true });
  await project.run("echo x >> a.txt; echo x >> b.rot; echo new > c.txt");
  await project.undo.goBack(last);
  expect(differences(before, camera.take())).toEqual([]);
  expect(existsSync(join(base, "sprung"))).toBe(false);
  await project.close();
});

test("a folder that is swapped for a symlink all the time leads no restore outside", async () => {
  const project = await openUndoProject(base);
  const names = Array.from({ length: LONG ? 400 : 60 }, (_, index) => `f${index}`);
  for (const name of names) put(`project/swapped/${name}`, `before ${name}\n`);
  for (const name of names) put(`outside/${name}`, `after ${name}\n`);
  await project.run('cd swapped && for f in *; do echo "after $f" > "$f"; done');
  const swap = `const { renameSync } = require("node:fs");
    const [folder, spare, link] = ["swapped", "../spare", "../link"];
    for (;;) { try { renameSync(folder, spare); renameSync(link, folder); renameSync(folder, link); renameSync(spare, folder); } catch (error) { console.log(String(error)); process.exit(1); } }`;
  symlinkSync(join(base, "outside"), join(base, "link"));
  const swapping = spawn(process.execPath, ["-e", swap], { cwd: project.root, stdio: "ignore" });
  await Bun.sleep(50);
  try {
    for (let round = 0; round < (LONG ? 50 : 3); round++) {
      await project.undo.goBack(last).catch(() => {});
      await project.undo.goBack({ target: { type: "redo" }, scope: "files" }).catch(() => {});
    }
  } finally {
    swapping.kill("SIGKILL");
    await new Promise((resolve) => swapping.once("close", resolve));
  }
  for (const name of names) expect(readFileSync(join(base, "outside", name), "utf8")).toBe(`after ${name}\n`);
  expect([...createCamera(join(base, "outside")).take().keys()].toSorted()).toEqual(names.toSorted());
  await project.close();
});

describe("things that are no longer what they were", () => {
  test.each([
    ["a FIFO", (path: string) => Bun.spawnSync(["mkfifo", path])],
    ["a folder", (path: string) => mkdirSync(path)],
    ["a symlink to the outside", (path: string) => symlinkSync(join(base, "outside.txt"), path)],
    ["a symlink to the same bytes", (path: string) => symlinkSync(join(base, "same.txt"), path)],
    ["other bytes of the same size and time", (path: string) => writeFileSync(path, "AFTER\n")],
    [
      "other bytes through another name",
      (path: string) => {
        writeFileSync(join(base, "linked"), "after\n");
        linkSync(join(base, "linked"), path);
        writeFileSync(join(base, "linked"), "later\n");
      },
    ],
  ])("%s in place of the file is a conflict, and stays", async (_what, plant) => {
    put("outside.txt", "precious\n");
    put("same.txt", "after\n");
    put("project/file.txt", "before\n");
    const project = await openUndoProject(base);
    await project.run("echo after > file.txt; touch -d 2001-01-01 file.txt");
    const path = join(project.root, "file.txt");
    rmSync(path);
    plant(path);
    const camera = createCamera(base);
    const before = camera.take().get("project/file.txt");
    const { conflicts } = await project.undo.goBack(last);
    expect(conflicts.map(({ change }) => change.path)).toEqual(["file.txt"]);
    expect(camera.take().get("project/file.txt")).toBe(before);
    expect(readFileSync(join(base, "outside.txt"), "utf8")).toBe("precious\n");
    await project.close();
  });

  test("a folder that somebody replaced by a symlink is not followed", async () => {
    put("project/folder/file.txt", "before\n");
    put("outside/file.txt", "after\n");
    const project = await openUndoProject(base);
    await project.run("echo after > folder/file.txt");
    renameSync(join(project.root, "folder"), join(base, "moved"));
    symlinkSync(join(base, "outside"), join(project.root, "folder"));
    const { conflicts } = await project.undo.goBack(last);
    expect(conflicts.map(({ change }) => change.path)).toEqual(["folder/file.txt"]);
    expect(readFileSync(join(base, "outside/file.txt"), "utf8")).toBe("after\n");
    await project.close();
  });

  test("a mode of a file with several names comes back for its own name alone", async () => {
    put("outside.txt", "shared\n");
    linkSync(join(base, "outside.txt"), join(base, "project/inside.txt"));
    put("project/other.txt", "other\n");
    const project = await openUndoProject(base);
    const camera = createCamera(base);
    const before = camera.take();
    await project.run("ln -f inside.txt other.txt; chmod 600 inside.txt");
    await project.undo.goBack(last);
    const now = camera.take();
    for (const path of ["project/inside.txt", "project/other.txt"])
      expect(now.get(path)).toBe(before.get(path));
    // The command changed it through the project, but it is not in the project.
    expect(now.get("outside.txt")).toStartWith("file 0600");
    await project.close();
  });

  test("an edit of a file with several names is taken back at each of them", async () => {
    put("project/one.txt", "before\n");
    linkSync(join(base, "project/one.txt"), join(base, "project/two.txt"));
    const project = await openUndoProject(base);
    const camera = createCamera(project.root);
    const before = camera.take();
    const args = { filepath: "two.txt", content: "after\n" };
    const steps = [
      { call: "read_file", args: { filepath: "two.txt" } },
      { call: "write_file", args },
    ];
    await Array.fromAsync(project.ask([steps]));
    expect(differences(before, camera.take())).toHaveLength(2);
    await project.undo.goBack(last);
    expect(differences(before, camera.take())).toEqual([]);
    await project.close();
  });

  test("what somebody adds to a file between two calls is there after undo of the second", async () => {
    put("project/file.txt", "one\n");
    const project = await openUndoProject(base);
    let batches = 0;
    // At the last moment, when the look after the first call is long over.
    for await (const event of project.ask([
      [{ call: "bash", args: { command: "echo two >> file.txt" } }],
      [{ delayMs: 100 }, { call: "bash", args: { command: "echo three > file.txt" } }],
    ]))
      if (event.type === "batch-start" && ++batches === 2)
        appendFileSync(join(project.root, "file.txt"), "of somebody else\n");
    const [turn] = await project.undo.turns();
    const call = turn?.calls.at(-1)?.toolCallId ?? "";
    await project.undo.goBack({ target: { type: "call", toolCallId: call }, scope: "files" });
    expect(readFileSync(join(project.root, "file.txt"), "utf8")).toBe("one\ntwo\nof somebody else\n");
    expect(turn?.others).toMatchObject([{ path: "file.txt" }]);
    await project.close();
  });
});

function put(path: string, text: string): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
}
