import { expect, test } from "bun:test";
import { judge } from "../judge.ts";
import { WIRES } from "../wire.ts";
import { validBodies } from "./valid-bodies.ts";

for (const wire of WIRES) {
  test(`${wire}: at least 60 bodies, all accepted`, () => {
    const bodies = validBodies(wire);
    expect(bodies.length).toBeGreaterThanOrEqual(60);
    const refused = bodies.flatMap(({ name, body }) => {
      const problem = judge(wire, body)[0];
      return problem === undefined ? [] : [`${name}: ${problem.message}`];
    });
    expect(refused).toEqual([]);
  });
}
