// What `find` deletes or overwrites by its own words. What it starts with -exec is a command of its own.
import { createWildcard } from "../base/wildcard.ts";
import type { EffectGround, KnownEffect } from "./effect.ts";
import type { KnownWord } from "./rule-match.ts";

const OUTPUTS = /^-(fprint0?|fprintf|fls)$/;

export function findEffect(rest: readonly KnownWord[], ground: EffectGround): KnownEffect | null {
  if (rest.includes("-delete")) return deleting(rest, ground);
  const outputs = rest.flatMap((word, index) =>
    word !== null && OUTPUTS.test(word) ? [rest[index + 1] ?? null] : [],
  );
  const targets = outputs.filter((path) => path === null || ground.exists(path));
  const what = `overwrite ${targets.includes(null) ? "files" : targets.join(", ")}`;
  return targets.length === 0 ? null : { kind: "overwrites", what, targets };
}

function deleting(rest: readonly KnownWord[], ground: EffectGround): KnownEffect {
  const first = rest.findIndex((word) => word !== null && /^[-(!]/.test(word));
  const starts = first <= 0 ? ["."] : rest.slice(0, first);
  const known = starts.filter((start) => start !== null);
  const isNamed = known.length < starts.length ? null : wantedName(rest.slice(Math.max(first, 0)));
  const found = isNamed === null ? [] : (ground.named(known, isNamed) ?? []);
  const places = known.map((start) => (start === "." ? "this folder" : start));
  const where = known.length < starts.length ? "folders" : places.join(", ");
  const what = isNamed === null ? `delete what is in ${where}` : `delete what it finds in ${where}`;
  return { kind: "deletes", what, targets: found.length === 0 ? starts : found };
}

/** Tests that can only make it find less, with the number of their values. */
const NARROWING: Readonly<Record<string, number>> = {
  "-type": 1,
  "-maxdepth": 1,
  "-mindepth": 1,
  "-path": 1,
  "-mtime": 1,
  "-mmin": 1,
  "-size": 1,
  "-empty": 0,
  "-print": 0,
  "-xdev": 0,
};

/** What all that is deleted is named like; null if that can't be told. Before -name, -delete would delete everything. */
function wantedName(expression: readonly KnownWord[]): ((name: string) => boolean) | null {
  let isNamed: ((name: string) => boolean) | null = null;
  for (let index = 0; index < expression.length; index++) {
    const word = expression[index] ?? "";
    if (word === "-delete") return isNamed;
    if (/^-i?name$/.test(word)) {
      const pattern = expression[++index] ?? "";
      if (!/^[\w.*?~-]+$/.test(pattern)) return null;
      isNamed = createWildcard(pattern, word === "-iname");
      continue;
    }
    const test = /^(!|-not)$/.test(word) ? (expression[++index] ?? "") : word;
    const values = Object.hasOwn(NARROWING, test) ? NARROWING[test] : undefined;
    if (values === undefined) return null;
    index += values;
  }
  return null;
}
