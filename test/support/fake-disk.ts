// A disk in memory for permission decisions: files with their text, and symlinks as `-> target`. Folders follow from
// the paths.
import { dirname } from "node:path";
import type { DiskView, FolderEntry } from "../../src/permission/disk.ts";

export function fakeDisk(
  files: Readonly<Record<string, string>>,
  programs: Readonly<Record<string, string>> = {},
): DiskView {
  const link = (path: string) => /^-> (.*)$/.exec(files[path] ?? "")?.[1] ?? null;
  return {
    readLink: link,
    findProgram: (name) => programs[name] ?? `/usr/bin/${name}`,
    gitConfiguration: () => "local\0core.bare\nfalse\0command\0core.hookspath\n/dev/null\0",
    gitPlaces: () => ({
      topLevel: "/p",
      gitFolder: "/p/.git",
      commonFolder: "/p/.git",
      backPointer: null,
    }),
    kindOf: (path) => {
      if (link(path) !== null) return "link";
      if (files[path] !== undefined) return "file";
      return Object.keys(files).some((each) => each.startsWith(`${path}/`)) ? "folder" : null;
    },
    listFolder: (path) => {
      const folder = path.replace(/(.)\/$/, "$1");
      const entries = new Map<string, FolderEntry>();
      for (const path of Object.keys(files)) {
        if (!path.startsWith(`${folder}/`)) continue;
        const name = path.slice(folder.length + 1).split("/")[0] ?? "";
        const direct = dirname(path) === folder;
        entries.set(name, { name, kind: !direct ? "folder" : link(path) === null ? "file" : "link" });
      }
      return entries.size === 0 ? null : [...entries.values()];
    },
  };
}
