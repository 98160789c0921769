// Projects for the proof of undo: with everything that file systems and git allow and programs forget.
import { execFileSync } from "node:child_process";
import { chmodSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { git } from "./permission-project.ts";
import type { Random } from "./random.ts";

export type TreeKind = "repository" | "nested" | "plain";

export const TREE_KINDS: readonly TreeKind[] = ["repository", "nested", "plain"];

/** At a fixed time in the past, so that git can tell that nobody changed them since. */
const OLD = "2024-01-01T00:00:00";
const FILES_IN_FOLDER = 10;
export const BIG_BYTES = 8 * 1024 * 1024 + 1;

export function plantTree(kind: TreeKind, root: string, files: number, random: Random): void {
  mkdirSync(root, { recursive: true });
  plantMany(root, files, random);
  plantOddNames(root);
  plantConverted(root);
  switch (kind) {
    case "repository":
      beginRepository(root);
      plantLinks(root);
      commitAll(root);
      break;
    case "nested":
      plantNested(root);
      break;
    case "plain":
      plantLinks(root);
      break;
  }
  plantUntracked(root);
}

/** A copy has other inodes and times: git has to look at its files again, or none would be git's own. */
export function copyTree(from: string, to: string): void {
  execFileSync("cp", ["-a", "--reflink=auto", from, to]);
  for (const place of repositoriesIn(to)) refreshGit(place);
}

export function refreshGit(repository: string): void {
  git(repository, "update-index", "-q", "--really-refresh");
}

function repositoriesIn(root: string): readonly string[] {
  const found = execFileSync("find", [root, "-name", ".git", "-prune", "-print0"], { encoding: "utf8" });
  return found
    .split("\0")
    .filter((path) => path !== "")
    .map((path) => dirname(path));
}

function plantMany(root: string, files: number, random: Random): void {
  for (let index = 0; index < files; index++) {
    const folder = join(
      root,
      "src",
      `part${index % Math.ceil(files / FILES_IN_FOLDER / 5)}`,
      `d${index % 5}`,
    );
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `file${index}.ts`), textOf(index, random));
  }
}

function textOf(index: number, random: Random): string {
  // Some are empty, and some have the same bytes.
  if (index % 97 === 0) return "";
  if (index % 53 === 0) return "the same\n";
  return `export const file${index} = "${random.below(1e9)}";\n`.repeat(1 + random.below(20));
}

/** Names that shells, lists and journals stumble over. */
export const ODD_NAMES = [
  "with space",
  " leading space",
  "trailing space ",
  "new\nline",
  "tab\there",
  "-leading-dash",
  "--help",
  "quote'\"`$(touch pwned)",
  "back\\slash",
  "*?[glob]",
  "caf\u00e9",
  "cafe\u0301",
  "\u202egpj.exe",
  "🐟".repeat(20),
  "semi;colon&and|pipe",
  "x".repeat(255),
  "é".repeat(127),
  "...",
  "~",
  "#comment",
];

function plantOddNames(root: string): void {
  for (const [index, name] of ODD_NAMES.entries()) put(root, `odd/${name}`, `odd ${index}\n`);
  put(root, "odd/folders/new\nline/-dash/file", "deep\n");
  for (const name of ["ff-\xff", "\xc3\x28"])
    writeFileSync(Buffer.concat([Buffer.from(`${root}/odd/`), Buffer.from(name, "latin1")]), "not UTF-8\n");
  put(root, `long/${`${"l".repeat(200)}/`.repeat(8)}end`, "far away\n");
}

const ATTRIBUTES = `*.crlf text eol=crlf
*.auto text=auto
*.binary -text
*.rot filter=rot
*.ident ident
*.utf16 text working-tree-encoding=UTF-16LE
*.lfs filter=large -text
`;

const CONFIG: readonly (readonly [key: string, value: string])[] = [
  ["core.autocrlf", "true"],
  ["filter.rot.clean", "tr a-z b-za"],
  ["filter.rot.smudge", "tr b-za a-z"],
  ["filter.large.clean", 'sh -c "cat > .git/large; sha256sum .git/large | sed s/.git.large//"'],
  ["filter.large.smudge", 'sh -c "cat > /dev/null; cat .git/large"'],
  ["user.name", "Test"],
  ["user.email", "test@example.com"],
  ["protocol.file.allow", "always"],
];

/** What git keeps in another form than the working tree has. */
function plantConverted(root: string): void {
  put(root, ".gitattributes", ATTRIBUTES);
  put(root, "converted/a.crlf", "one\r\ntwo\r\n");
  put(root, "converted/mixed.crlf", "one\r\ntwo\nthree\r\n");
  put(root, "converted/b.auto", "one\r\ntwo\r\n");
  put(root, "converted/c.binary", "one\r\ntwo\n\0");
  put(root, "converted/d.rot", "hello\n");
  put(root, "converted/e.ident", "$Id$\n");
  put(root, "converted/f.utf16", Buffer.from("wide\n", "utf16le"));
  put(root, "converted/g.lfs", "large in spirit\n".repeat(10));
}

function beginRepository(root: string): void {
  git(root, "init", "-q", "-b", "main");
  for (const [key, value] of CONFIG) git(root, "config", key, value);
  put(root, ".gitignore", "*.log\nbuild/\n.env\nlocal.db\nnode_modules/\nignored/\n");
}

/** Twice, so that there is something to go back to and to check out. */
function commitAll(root: string, message = "first"): void {
  put(root, "history.txt", "first\n");
  put(root, "only-first.txt", "gone in the second\n");
  execFileSync("find", [
    root,
    "-name",
    ".git",
    "-prune",
    "-o",
    "-type",
    "f",
    "-exec",
    "touch",
    "-d",
    OLD,
    "{}",
    "+",
  ]);
  // It would warn about each converted file, which are too many in a large tree.
  git(root, "-c", "core.safecrlf=false", "add", "-A");
  git(root, "commit", "-q", "-m", message);
  put(root, "history.txt", "second\n");
  git(root, "rm", "-q", "only-first.txt");
  git(root, "commit", "-q", "-a", "-m", "second");
  git(root, "branch", "other", "HEAD~1");
}

function plantLinks(root: string): void {
  put(root, "links/target.txt", "a target\n");
  put(root, "links/folder/inside.txt", "inside\n");
  for (const [name, target] of [
    ["to-file", "target.txt"],
    ["to-folder", "folder"],
    ["dangling", "nowhere"],
    ["out", "../../outside.txt"],
    ["out-folder", "../../outside"],
    ["loop", "loop"],
    ["absolute", "/nonexistent/of-undo"],
  ] as const)
    symlinkSync(target, join(root, "links", name));
}

/** A submodule, a repository that nobody declared, one within that, and a bare one. */
function plantNested(root: string): void {
  const library = join(root, "..", "library-of-nested");
  put(library, "library.c", "int one;\n");
  put(library, "deep/more.c", "int two;\n");
  beginRepository(library);
  commitAll(library);
  beginRepository(root);
  plantLinks(root);
  git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "modules/library");
  for (const folder of ["vendor/inner", "vendor/inner/innermost"]) {
    put(root, `${folder}/own.txt`, "of an inner repository\n");
    put(root, `${folder}/same.txt`, "the same\n");
    beginRepository(join(root, folder));
  }
  commitAll(join(root, "vendor/inner/innermost"));
  put(root, "vendor/inner/.gitignore", "innermost/\n");
  commitAll(join(root, "vendor/inner"));
  git(root, "init", "-q", "--bare", "vendor/bare.git");
  commitAll(root);
}

function plantUntracked(root: string): void {
  put(root, ".env", "KEY=not-a-real-key\n");
  put(root, "local.db", Buffer.from(Array.from({ length: 5_000 }, (_, index) => index % 251)));
  put(root, "noise.log", "line\n".repeat(100));
  put(root, "ignored/deep/kept.txt", "ignored by git, not by us\n");
  put(root, "node_modules/package/index.js", "module.exports = 1;\n");
  put(root, "notes.txt", "untracked\n");
  put(root, "big.bin", Buffer.alloc(BIG_BYTES, "big"));
  mkdirSync(join(root, "empty/within"), { recursive: true });
  put(root, "modes/none.txt", "nobody may read this\n");
  put(root, "modes/run.sh", "#!/bin/sh\necho run\n");
  put(root, "modes/setuid", "set\n");
  put(root, "modes/read-only/file.txt", "fixed\n");
  put(root, "hard/one.txt", "two names\n");
  linkSync(join(root, "hard/one.txt"), join(root, "hard/two.txt"));
  execFileSync("mkfifo", [join(root, "modes/pipe")]);
  chmodSync(join(root, "modes/none.txt"), 0);
  chmodSync(join(root, "modes/run.sh"), 0o755);
  chmodSync(join(root, "modes/setuid"), 0o4755);
  chmodSync(join(root, "modes/read-only/file.txt"), 0o444);
  chmodSync(join(root, "modes/read-only"), 0o555);
}

function put(root: string, path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}
