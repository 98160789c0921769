// The gate and the strict server were written apart from each other, from the vendors' documentation. They judge
// alike: all valid bodies, and every single mutation of them.
import { expect, test } from "bun:test";
import { findViolations } from "../../src/models/wire-gate/gate.ts";
import { judge } from "../support/strict-llm-server/judge.ts";
import { mutations } from "../support/strict-llm-server/mutations.ts";
import { validBodies } from "../support/strict-llm-server/valid-bodies/valid-bodies.ts";
import { WIRES } from "../support/strict-llm-server/wire.ts";

/** What only the vendor can know: whether a signature is one of its own, and fits the thought it signs. */
const OPAQUE =
  /encrypted content|Invalid `(signature|data)`|blocks in the latest .* cannot be modified|Corrupted thought/;
const GOOGLE_MODEL = "gemini-3-pro";
/** Tens of thousands of mutations take seconds on a busy machine. */
const PATIENCE_MS = 60_000;

test.each(WIRES)(
  "%s: gate and server judge alike",
  (wire) => {
    let [judged, refused, opaque] = [0, 0, 0];
    const differences: string[] = [];
    const compare = (name: string, body: Parameters<typeof judge>[1]) => {
      const gate = findViolations(wire, JSON.stringify(body), GOOGLE_MODEL);
      const vendor = judge(wire, body, wire === "google" ? GOOGLE_MODEL : undefined);
      judged++;
      if (vendor.length > 0) refused++;
      if (gate.length > 0 === vendor.length > 0) return;
      if (gate.length === 0 && vendor.every(({ message }) => OPAQUE.test(message))) opaque++;
      else
        differences.push(`${name}: gate ${gate[0] ?? "passes"}; server ${vendor[0]?.message ?? "accepts"}`);
    };
    const bodies = validBodies(wire);
    for (const { name, body } of bodies) {
      expect([name, findViolations(wire, JSON.stringify(body), GOOGLE_MODEL)]).toEqual([name, []]);
      for (const mutation of mutations(body, wire)) compare(`${name}: ${mutation.name}`, mutation.body);
    }
    console.log(
      `${wire}: ${bodies.length} bodies, ${judged} mutations judged, ${refused} refused by both or the vendor, ${opaque} for a signature only the vendor can read`,
    );
    expect(differences).toEqual([]);
    expect(bodies.length).toBeGreaterThanOrEqual(60);
  },
  PATIENCE_MS,
);
