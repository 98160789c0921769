import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { type TempWorkspace, tempWorkspace } from "../../test/support/temp-workspace.ts";
import { surveyFolders } from "./sandbox-survey.ts";
import { type Before, putBack, setAside } from "./set-aside.ts";

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
    expect(await putBack(first)).toBeNull();
    expect(readFileSync(project.path(".vscode/tasks.json"), "utf8")).toBe("{}");
    const [second] = await setAside(before, kept.root);
    if (second === undefined) throw new Error("nothing was set aside");
    project.write(".vscode/mine.json", "mine");
    expect(await putBack(second)).toContain("something else is there");
    expect(readdirSync(project.path(".vscode"))).toEqual(["mine.json"]);
    expect(existsSync(second.keptIn)).toBe(true);
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
