// Whether something in a repository would make git read files from elsewhere.
import { expect, test } from "bun:test";
import { fakeDisk } from "../../test/support/fake-disk.ts";
import type { GitPlaces } from "./disk.ts";
import { strangeness } from "./git-places.ts";

const OWN: GitPlaces = {
  topLevel: "/p",
  gitFolder: "/p/.git",
  commonFolder: "/p/.git",
  backPointer: null,
};
const LINKED: GitPlaces = {
  topLevel: "/p",
  gitFolder: "/main/.git/worktrees/p",
  commonFolder: "/main/.git",
  backPointer: "/p/.git\n",
};
const ORDINARY = { "/p/.git/HEAD": "", "/p/.git/info/exclude": "", "/p/.git/objects/info/packs": "" };

test.each<[string, GitPlaces | null, Record<string, string>, boolean]>([
  ["an ordinary repository", OWN, {}, false],
  ["hooks that are links, which never run", OWN, { "/p/.git/hooks/pre-commit": "-> /x" }, false],
  ["a worktree that its repository knows", LINKED, {}, false],
  ["a worktree that its repository doesn't know", { ...LINKED, backPointer: "/q/.git\n" }, {}, true],
  ["a pointer to another repository", { ...OWN, gitFolder: "/q/.git", commonFolder: "/q/.git" }, {}, true],
  ["a common folder elsewhere", { ...OWN, commonFolder: "/q/.git" }, {}, true],
  ["a link to a secret", OWN, { "/p/.git/shallow": "-> /home/me/.ssh/id_rsa" }, true],
  ["a link further down", OWN, { "/p/.git/worktrees/x/locked": "-> /etc/shadow" }, true],
  ["objects of another repository", OWN, { "/p/.git/objects/info/alternates": "/q" }, true],
  ["objects elsewhere", OWN, { "/p/.git/objects/pack": "-> /q" }, true],
  ["what git can't tell", null, {}, true],
])("%s", (_, places, files, isStrange) => {
  const disk = fakeDisk({ ...ORDINARY, ...files });
  expect(strangeness(places, ["/p"], disk) !== null).toBe(isStrange);
});
