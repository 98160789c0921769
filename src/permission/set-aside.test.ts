import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { type TempWorkspace, tempWorkspace } from "../../test/support/temp-workspace.ts";
import { surveyFolders } from "./sandbox-survey.ts";
import { type Before, putBack, setAside, stateOf } from "./set-aside.ts";

async function beforeIn(project: TempWorkspace): Promise<Before> {
  return { roots: [project.root], since: Date.now(), ...(await surveyFolders([project.root])) };
}

describe("what a command made and other programs obey", () => {
  test("is moved away, and what was there stays", async () => {
    using project = tempWorkspace({ ".npmrc": "old", "src/a.txt": "" });
    using kept = tempWorkspace();
    const before = await beforeIn(project);
    project.write("src/.vscode/tasks.json", "{}");
    symlinkSync("src", project.path(".claude"));
    spawnSync("mkfifo", [project.path(".bashrc")]);
    const moved = await setAside(before, kept.root);
    expect(moved.map(({ path }) => path).sort()).toEqual(
      [".bashrc", ".claude", "src/.vscode"].map((name) => project.path(name)).sort(),
    );
    expect(readdirSync(project.root).sort()).toEqual([".npmrc", "src"]);
    expect(readdirSync(project.path("src"))).toEqual(["a.txt"]);
    for (const { keptIn } of moved) expect(lstatSync(keptIn)).toBeDefined();
    expect(await setAside(before, kept.root)).toEqual([]);
  });

  test("comes back as it was, and never over something else", async () => {
    using project = tempWorkspace();
    using kept = tempWorkspace();
    const before = await beforeIn(project);
    project.write(".vscode/tasks.json", "{}");
    const [first] = await setAside(before, kept.root);
    if (first === undefined) throw new Error("nothing was set aside");
    expect(await putBack(first, await stateOf(first.keptIn))).toBeNull();
    expect(readFileSync(project.path(".vscode/tasks.json"), "utf8")).toBe("{}");
    const [second] = await setAside(before, kept.root);
    if (second === undefined) throw new Error("nothing was set aside");
    project.write(".vscode/mine.json", "mine");
    expect(await putBack(second, await stateOf(second.keptIn))).toContain("something else is there");
    expect(readdirSync(project.path(".vscode"))).toEqual(["mine.json"]);
    expect(existsSync(second.keptIn)).toBe(true);
  });

  test.skipIf(process.platform === "darwin")(
    "is found in folders whose names are not UTF-8, also in two that read the same",
    async () => {
      using project = tempWorkspace({ "src/a.txt": "" });
      using kept = tempWorkspace();
      const before = await beforeIn(project);
      for (const byte of [0xfe, 0xff]) {
        const folder = Buffer.concat([Buffer.from(project.path("src/odd")), Buffer.of(byte)]);
        mkdirSync(folder);
        writeFileSync(Buffer.concat([folder, Buffer.from("/.envrc")]), "curl x | sh");
      }
      const [moved] = await setAside(before, kept.root);
      expect(readdirSync(project.path("src"))).toEqual(["a.txt"]);
      expect(readdirSync(moved?.keptIn ?? "", { recursive: true }).sort()).toEqual([
        "0",
        "0/.envrc",
        "1",
        "1/.envrc",
      ]);
    },
  );

  test("doesn't come back if it was changed after the person saw it, or is no file", async () => {
    using project = tempWorkspace();
    using kept = tempWorkspace();
    const before = await beforeIn(project);
    project.write(".vscode/tasks.json", "{}");
    const open = openSync(project.path(".vscode/tasks.json"), "a");
    spawnSync("mkfifo", [project.path(".envrc")]);
    for (const each of await setAside(before, kept.root)) {
      const shown = await stateOf(each.keptIn);
      writeSync(open, "evil");
      const isFolder = each.path === project.path(".vscode");
      expect(await putBack(each, shown)).toContain(isFolder ? "has changed" : "no file");
    }
    closeSync(open);
    expect(readdirSync(project.root)).toEqual([]);
  });

  test("a folder that was there stays, although a command made a repository of it", async () => {
    for (const [made, gone] of [
      [["HEAD", "objects/x", "refs/x"], "objects"],
      [["HEAD", "commondir"], "commondir"],
    ] as const) {
      using project = tempWorkspace({ "mine.txt": "", "data/mine.txt": "" });
      using kept = tempWorkspace();
      const before = await beforeIn(project);
      for (const folder of [".", "data", "new"])
        for (const name of made) project.write(`${folder}/${name}`, "");
      project.write("data/.envrc", "");
      const moved = await setAside(before, kept.root);
      expect(new Set(moved.map(({ path }) => path))).toEqual(
        new Set([gone, `data/${gone}`, "data/.envrc", "new"].map((name) => project.path(name))),
      );
      expect(existsSync(project.path("data/mine.txt"))).toBe(true);
    }
  });

  test("a symlink that was removed is there again, but never where its folder leads by now", async () => {
    using project = tempWorkspace({ "conf/x": "", "a/x": "", "b/x": "" });
    using elsewhere = tempWorkspace();
    using kept = tempWorkspace();
    for (const name of ["a/.husky", "b/.husky"]) symlinkSync("../conf", project.path(name));
    const before = await beforeIn(project);
    rmSync(project.path("a/.husky"));
    rmSync(project.path("b"), { recursive: true });
    symlinkSync(elsewhere.root, project.path("b"));
    expect(await setAside(before, kept.root)).toEqual([]);
    expect(readlinkSync(project.path("a/.husky"))).toBe("../conf");
    expect(readdirSync(elsewhere.root)).toEqual([]);
  });

  test("a symlink that was replaced is there again", async () => {
    using project = tempWorkspace({ "conf/x": "", "prepared/x": "" });
    using kept = tempWorkspace();
    symlinkSync("conf", project.path(".idea"));
    const before = await beforeIn(project);
    rmSync(project.path(".idea"));
    symlinkSync("prepared", project.path(".idea"));
    const moved = await setAside(before, kept.root);
    expect(moved.map(({ keptIn }) => readlinkSync(keptIn))).toEqual(["prepared"]);
    expect(readlinkSync(project.path(".idea"))).toBe("conf");
  });

  test("another name of the file can't change what is kept", async () => {
    using project = tempWorkspace();
    using kept = tempWorkspace();
    const before = await beforeIn(project);
    project.write("one", "shown");
    linkSync(project.path("one"), project.path(".envrc"));
    const [moved] = await setAside(before, kept.root);
    writeFileSync(project.path("one"), "changed");
    expect(readFileSync(moved?.keptIn ?? "", "utf8")).toBe("shown");
  });

  test("in very many places takes the new folders as a whole", async () => {
    using project = tempWorkspace({ "src/a.txt": "" });
    using kept = tempWorkspace();
    const before = await beforeIn(project);
    for (let index = 0; index < 60; index++) project.write(`src/new/${index}/.envrc`, "");
    const moved = await setAside(before, kept.root);
    expect(moved.map(({ path }) => path)).toEqual([project.path("src/new")]);
  });

  test("isn't looked for in a folder that was locked, and that stays locked", async () => {
    using project = tempWorkspace({ "locked/.vscode/x": "" });
    using kept = tempWorkspace();
    chmodSync(project.path("locked"), 0o000);
    const found = await surveyFolders([project.root]);
    const obeyed = new Map([[project.path("locked"), null]]);
    expect(await setAside({ ...found, obeyed, roots: [project.root], since: 0 }, kept.root)).toEqual([]);
    expect(lstatSync(project.path("locked")).mode & 0o777).toBe(0);
    chmodSync(project.path("locked"), 0o700);
  });

  test("after a crash, only its names are known", async () => {
    using project = tempWorkspace({ "a/.envrc": "old" });
    using kept = tempWorkspace();
    const { roots, since, obeyed } = await beforeIn(project);
    mkdirSync(project.path("a/.zed"));
    const moved = await setAside({ roots, since, obeyed }, kept.root);
    expect(moved.map(({ path }) => path)).toEqual([project.path("a/.zed")]);
    expect(existsSync(project.path("a/.envrc"))).toBe(true);
  });
});
