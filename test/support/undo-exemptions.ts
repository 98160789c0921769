// What undo had named as not covered: there the disk may differ from what it was.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { DiskPicture } from "./disk-picture.ts";

export interface Exemption {
  readonly add: (path: string) => void;
  /** The path is one of them, lies below one, or is a folder that has to stay because one of them is in it. */
  readonly covers: (path: string, found: DiskPicture) => boolean;
}

export function exemptions(root: string): Exemption {
  const named = new Set<string>();
  /** Every folder above a named path. */
  const above = new Set<string>();
  const stayed = new Set<string>();
  const holdsNamed = (folder: string, found: DiskPicture): boolean => {
    const isWithin = (path: string) => path.startsWith(`${folder}/`);
    for (const path of found.keys()) if (isWithin(path) && named.has(comparable(path))) return true;
    // The picture is without what git keeps for itself.
    return [...named].some(
      (path) => isWithin(path) && path.endsWith("/.git") && existsSync(join(root, path)),
    );
  };
  return {
    add: (path) => {
      const plain = comparable(path);
      named.add(plain);
      for (const folder of foldersAbove(plain)) above.add(folder);
    },
    covers: (path, found) => {
      const plain = comparable(path);
      if (named.has(plain) || foldersAbove(plain).some((folder) => named.has(folder))) return true;
      if (stayed.has(plain)) return true;
      return [plain, ...foldersAbove(plain)].some((place) => {
        if (!above.has(place) || !found.get(place)?.startsWith("folder")) return false;
        const hasToStay = holdsNamed(place, found);
        // It was left once, and stays left when what is in it goes.
        if (hasToStay) stayed.add(place);
        return hasToStay;
      });
    },
  };
}

/** Bytes that are not UTF-8 are written in other ways by the picture and by the program. */
function comparable(path: string): string {
  const decoded = path.replaceAll(/(?:\\x[0-9a-f]{2})+/g, (bytes) =>
    Buffer.from(bytes.replaceAll("\\x", ""), "hex").toString(),
  );
  return decoded.replaceAll(/\ufffd+/g, "\ufffd").replace(/\/$/, "");
}

function foldersAbove(path: string): readonly string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}
