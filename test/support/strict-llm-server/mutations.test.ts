import { expect, test } from "bun:test";
import { judge } from "./judge.ts";
import { mutations } from "./mutations.ts";
import { validBodies } from "./valid-bodies/valid-bodies.ts";
import { WIRES } from "./wire.ts";

for (const wire of WIRES) {
  test(`${wire}: every mutation of every valid body is judged, and damage to pairs is refused`, () => {
    let count = 0;
    let refused = 0;
    const names = new Map<string, number>();
    const accepted = new Map<string, string>();
    for (const { name, body } of validBodies(wire)) {
      const before = JSON.stringify(body);
      for (const mutation of mutations(body, wire)) {
        count += 1;
        const isRefused = judge(wire, mutation.body).length > 0;
        if (isRefused) refused += 1;
        else {
          const kind = mutation.name.replace(/\d+/g, "N");
          names.set(kind, (names.get(kind) ?? 0) + 1);
          accepted.set(kind, `${name} | ${mutation.name}`);
        }
      }
      expect(JSON.stringify(body)).toBe(before);
    }
    console.log(
      wire,
      count,
      refused,
      JSON.stringify(
        [...names].map(([k, v]) => [k, v, accepted.get(k)]),
        null,
        0,
      ).replaceAll("],[", "\n  "),
    );
  });
}
