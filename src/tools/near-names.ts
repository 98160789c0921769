// Suggests existing names for a path that doesn't exist.
import { opendir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { editDistance } from "../base/nearest-name.ts";

const MOST_ENTRIES = 5_000;
const MOST_SUGGESTIONS = 3;
const LONGEST_NAME = 100;

export async function nearNames(missing: string): Promise<string[]> {
  const wanted = plain(basename(missing));
  const folder = dirname(missing);
  const scored: { readonly name: string; readonly score: number }[] = [];
  for (const name of await entryNames(folder)) {
    const score = likeness(wanted, plain(name));
    if (score > 0) scored.push({ name, score });
  }
  scored.sort((a, b) => b.score - a.score || a.name.localeCompare(b.name));
  return scored.slice(0, MOST_SUGGESTIONS).map(({ name }) => join(folder, name));
}

async function entryNames(folder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      names.push(entry.name);
      if (names.length >= MOST_ENTRIES) break;
    }
  } catch {
    // A folder that is missing or unreadable yields no suggestions.
  }
  return names;
}

/** Models most often get case, composed accents and unusual spaces wrong. */
function plain(name: string): string {
  return name.normalize("NFKC").toLowerCase().slice(0, LONGEST_NAME);
}

/** 0 means unlike. Ranks names that differ in case or form first, then in the extension, then in a few letters. */
function likeness(wanted: string, name: string): number {
  if (wanted === name) return 4;
  if (stem(wanted) === stem(name)) return 3;
  const distance = editDistance(wanted, name);
  const allowed = Math.max(1, Math.floor(wanted.length / 4));
  if (distance <= allowed) return 2 - distance / (allowed + 1);
  return wanted.length >= 4 && (name.includes(stem(wanted)) || wanted.includes(stem(name))) ? 0.5 : 0;
}

function stem(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}
