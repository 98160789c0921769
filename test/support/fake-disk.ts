// A disk in memory for decisions: files with their text, links as `-> target`, folders by their files.
import { dirname } from "node:path";
import type { FolderEntry, PermissionDisk } from "../../src/permission/disk.ts";

export function fakeDisk(
  files: Readonly<Record<string, string>>,
  programs: Readonly<Record<string, string>> = {},
): PermissionDisk {
  const link = (path: string) => /^-> (.*)$/.exec(files[path] ?? "")?.[1] ?? null;
  return {
    readLink: link,
    readFile: (path) => (link(path) === null ? (files[path] ?? null) : null),
    findProgram: (name) => programs[name] ?? `/usr/bin/${name}`,
    listFolder: (folder) => {
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
