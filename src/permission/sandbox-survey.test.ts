import { expect, test } from "bun:test";
import { linkSync, mkdirSync, symlinkSync } from "node:fs";
import { tempWorkspace } from "../../test/support/temp-workspace.ts";
import { surveyFolders } from "./sandbox-survey.ts";

test("finds what other programs obey and what is secret, nested too, and where symlinks lead", async () => {
  using project = tempWorkspace({
    ".git/config": "",
    "a/b/.vscode/x": "",
    "a/.envrc": "",
    "a/.env": "",
    "a/credentials/source.ts": "",
    "bare/HEAD": "",
    "bare/objects/x": "",
    "bare/refs/x": "",
    "linked/HEAD": "",
    "linked/commondir": "",
    "node_modules/p/.git/config": "",
    "plain.txt": "",
  });
  symlinkSync("a/b", project.path(".idea"));
  symlinkSync("nowhere", project.path(".bashrc"));
  symlinkSync("plain.txt", project.path("x.pem"));
  const { obeyed, secrets, unseen, doubled } = await surveyFolders([project.root]);
  const paths = [...obeyed.keys()].map((path) => path.slice(project.root.length + 1)).sort();
  expect(paths).toEqual([".bashrc", ".git", ".idea", "a/.envrc", "a/b/.vscode", "bare", "linked"]);
  expect(obeyed.get(project.path(".idea"))).toEqual({ text: "a/b", target: project.path("a/b") });
  expect(obeyed.get(project.path(".bashrc"))).toEqual({ text: "nowhere", target: null });
  expect([...secrets].sort()).toEqual([project.path("a/.env"), project.path("plain.txt")]);
  expect([unseen, doubled]).toEqual([[], []]);
});

test("stops at its bound, but looks into every folder that it knows", async () => {
  using project = tempWorkspace({ "known/deep/.envrc": "" });
  for (let index = 0; index < 40; index++)
    mkdirSync(project.path(`new/${index}/deeper`), { recursive: true });
  const known = new Set([project.root, project.path("known"), project.path("known/deep")]);
  const { obeyed, unseen } = await surveyFolders([project.root], { known, mostEntries: 5 });
  expect([...obeyed.keys()]).toEqual([project.path("known/deep/.envrc")]);
  expect(unseen.length).toBeGreaterThan(0);
  expect(unseen.filter((path) => !path.startsWith(project.path("new")))).toEqual([]);
});

test("a second name of a guarded file is noticed", async () => {
  using project = tempWorkspace({ ".npmrc": "", "key.pem": "" });
  linkSync(project.path(".npmrc"), project.path("one"));
  linkSync(project.path("key.pem"), project.path("two"));
  const { doubled } = await surveyFolders([project.root]);
  expect([...doubled].sort()).toEqual([project.path(".npmrc"), project.path("key.pem")]);
});
