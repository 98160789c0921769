// The documents lead somewhere: every relative link, every path in backticks, and every entry of the map exists.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

const ROOT = join(import.meta.dir, "..");
const DOCUMENTS = ["README.md", "ARCHITECTURE.md", "AGENTS.md", "CHANGELOG.md", ...markdownIn("docs")];

test.each(DOCUMENTS)("%s: every relative link and every path in backticks exists", (document) => {
  const text = read(document);
  expect([...brokenLinks(document, text), ...missingPaths(text)]).toEqual([]);
});

test("every entry of the map in AGENTS.md exists", () => {
  const entries = entriesOfTree(read("AGENTS.md"));
  expect(entries.length).toBeGreaterThan(200);
  expect(entries.filter(isMissing)).toEqual([]);
});

test("a link, a heading, a path and an entry that lead nowhere are found", () => {
  const text = "[a](docs/none.md) [b](AGENTS.md#none) [c](AGENTS.md#the-tree) `src/none.ts` `src/*/none.ts`";
  expect(brokenLinks("x.md", text)).toEqual(["docs/none.md", "AGENTS.md#none"]);
  expect(missingPaths(text)).toEqual(["src/none.ts", "src/*/none.ts"]);
  const tree = "```\nsrc/\n  base/   what\n    abort.ts, none.ts   why\n    lsp/\nscripts/\n  build.ts\n```";
  expect(entriesOfTree(tree).filter(isMissing)).toEqual(["src/base/none.ts", "src/base/lsp"]);
});

function brokenLinks(document: string, text: string): string[] {
  const links = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  return links.filter((link) => !/^[a-z]+:/.test(link) && !leadsSomewhere(document, link));
}

function leadsSomewhere(document: string, link: string): boolean {
  const [file = "", anchor] = link.split("#");
  const target = file === "" ? document : posix.join(dirname(document), file);
  if (isMissing(target)) return false;
  return anchor === undefined || anchorsOf(read(target)).includes(anchor);
}

/** As GitHub makes them of headings. */
function anchorsOf(text: string): string[] {
  const headings = [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function missingPaths(text: string): string[] {
  const quoted = [...text.matchAll(/`((?:src|test|docs|bench|scripts)\/[^`\s]*)`/g)];
  return quoted.map(([, path = ""]) => path).filter(isMissing);
}

/** The map's tree: names at the beginning of a line, two spaces a level; what follows them is prose. */
function entriesOfTree(text: string): string[] {
  const tree = /^```\n(src\/\n[\s\S]*?)^```/m.exec(text)?.[1] ?? "";
  const folders: string[] = [];
  return tree.split("\n").flatMap((line) => {
    const [, indent = "", names] =
      /^( *)([\w.-]+(?:\/[\w.-]*)*(?:, [\w.-]+\/?)*)(?: {2,}|$)/.exec(line) ?? [];
    if (names === undefined) return line === "" ? [] : [`not understood: ${line}`];
    const level = indent.length / 2;
    const paths = names.split(", ").map((name) => join(...folders.slice(0, level), name.replace(/\/$/, "")));
    folders[level] = names.replace(/\/$/, "");
    return paths;
  });
}

function isMissing(path: string): boolean {
  return !existsSync(join(ROOT, path));
}

function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "");
}

function markdownIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => posix.join(folder, name))
    .sort();
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}
