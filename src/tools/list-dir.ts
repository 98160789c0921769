// list_dir: shows a directory as a short tree, with as many levels as fit, without ignored files.
import { opendir, readlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { stripTerminalControls } from "../base/terminal-text.ts";
import { labelOf } from "./call-label.ts";
import { defineTool } from "./define-tool.ts";
import { explainFileError } from "./file-problem.ts";
import { requireDirectory } from "./granted-path.ts";
import description from "./list-dir.md" with { type: "text" };
import { complaintRemark, runRipgrep, WALK_FLAGS } from "./ripgrep.ts";
import { displayPath, pathDemand } from "./workspace-path.ts";

export const MAX_ENTRIES = 200;
/** At most this many files are walked to find out what is ignored and how many files a folder contains. */
const MAX_FILES = 50_000;
/** The most names read from one directory. */
const MAX_NAMES = 10_000;
const DEADLINE_MS = 30_000;

export const listDir = defineTool({
  name: "list_dir",
  kind: "read",
  description,
  schema: z.object({ directory: z.string().min(1).optional() }),
  deadlineMs: DEADLINE_MS,
  isOffered: () => true,
  demands: ({ directory = "." }, { workspace }) => [pathDemand(workspace, directory, "read", "names")],
  ruleTopic: "read",
  label: labelOf("List", "directory"),
  resultStyle: "count",
  names: { hooks: "LS", editors: "read" },
  async execute({ directory = "." }, { signal, grant }, { workspace, ripgrepPath }) {
    const root = await requireDirectory(workspace, directory, grant);
    const walk = await walkFiles(await ripgrepPath(), root, signal);
    const tree = await growTree(root, walk, signal).catch(async (error: unknown) => {
      throw await explainFileError(error, root, workspace);
    });
    const details = { type: "count", count: tree.length, of: "entry" } as const;
    if (tree.length === 0) tree.push("  (empty)");
    if (walk.isStopped) tree.push(`[More than ${MAX_FILES} files; numbers and marks are incomplete.]`);
    const lines = [`${displayPath(workspace, root)}/`, ...tree, complaintRemark(walk.complaints)];
    return { content: lines.filter((line) => line !== null).join("\n"), details };
  },
});

interface Walk {
  /** Paths relative to the root, without ignored files. */
  readonly files: ReadonlySet<string>;
  /** The number of files in each folder, at any depth. */
  readonly counts: ReadonlyMap<string, number>;
  readonly isStopped: boolean;
  readonly complaints: string;
}

async function walkFiles(program: string, root: string, signal: AbortSignal): Promise<Walk> {
  const files = new Set<string>();
  const counts = new Map<string, number>();
  const { exitCode, complaints } = await runRipgrep({
    program,
    args: [...WALK_FLAGS, "--files", "--null"],
    cwd: root,
    signal,
    separator: "\0",
    onRecords: (paths) => {
      for (const path of paths) {
        files.add(path);
        for (let folder = dirname(path); folder !== "."; folder = dirname(folder))
          counts.set(folder, (counts.get(folder) ?? 0) + 1);
      }
      return files.size >= MAX_FILES ? "stop" : undefined;
    },
  });
  return { files, counts, isStopped: exitCode === null, complaints };
}

interface Entry {
  /** Relative to the root. */
  readonly path: string;
  readonly label: string;
  /** The number of files below, for a folder that can be expanded. */
  readonly files: number | null;
  children: readonly Entry[] | null;
}

/** Grows level by level, so that upper levels are shown before deeper ones. */
async function growTree(root: string, walk: Walk, signal: AbortSignal): Promise<string[]> {
  const all = await readEntries(root, "", walk);
  const top = all.slice(0, MAX_ENTRIES);
  let room = MAX_ENTRIES - top.length;
  const waiting = top.filter(({ files }) => files !== null);
  // The list grows while it is iterated.
  for (const folder of waiting) {
    signal.throwIfAborted();
    if (room === 0) break;
    const children = await readEntries(root, folder.path, walk).catch(() => null);
    if (children === null || children.length > room) continue;
    folder.children = children;
    room -= children.length;
    waiting.push(...children.filter(({ files }) => files !== null));
  }
  const more = all.length - top.length;
  return [...render(top, "  "), ...(more > 0 ? [`  ... ${more} more; use glob to find one by name`] : [])];
}

async function readEntries(root: string, folder: string, walk: Walk): Promise<Entry[]> {
  const folders: Entry[] = [];
  const others: Entry[] = [];
  let seen = 0;
  for await (const found of await opendir(join(root, folder))) {
    if (++seen > MAX_NAMES) break;
    const path = join(folder, found.name);
    const leaf = { path, label: found.name, files: null, children: null };
    if (found.isDirectory()) {
      if (found.name !== ".git") folders.push(folderEntry(path, found.name, walk));
    } else if (found.isSymbolicLink()) {
      const target = await readlink(join(root, path)).catch(() => "?");
      others.push({ ...leaf, label: `${found.name} -> ${target}` });
    } else if (walk.files.has(path) || walk.isStopped) others.push(leaf);
  }
  const byName = (a: Entry, b: Entry) => (a.path < b.path ? -1 : 1);
  return [...folders.sort(byName), ...others.sort(byName)];
}

function folderEntry(path: string, name: string, walk: Walk): Entry {
  const files = walk.counts.get(path) ?? null;
  const unknown = walk.isStopped ? "not counted" : "ignored or empty";
  const label = files === null ? `${name}/ (${unknown})` : `${name}/`;
  return { path, label, files, children: null };
}

function render(entries: readonly Entry[], indent: string): string[] {
  return entries.flatMap(({ label, files, children }) => {
    if (children !== null) return [indent + label, ...render(children, `${indent}  `)];
    const count = files === null ? "" : ` (${files} ${files === 1 ? "file" : "files"})`;
    return [stripTerminalControls(indent + label + count).replaceAll("\n", "?")];
  });
}
