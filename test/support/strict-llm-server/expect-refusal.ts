// One rule per line: a valid body, one change, and the vendor's message.
import { expect, test } from "bun:test";
import type { JsonObject } from "../../../src/base/json.ts";
import { judge } from "./judge.ts";
import type { Wire } from "./wire.ts";

export interface Rule {
  readonly refuses: string;
  /** Merged over the base body. */
  readonly with: JsonObject;
  /** A piece of the first problem's message. */
  readonly says: string;
}

export function expectRefusals(wire: Wire, base: JsonObject, rules: readonly Rule[]): void {
  test(`${wire}: the body the rules start from is accepted`, () => {
    expect(judge(wire, base)).toEqual([]);
  });
  for (const { refuses, with: change, says } of rules) {
    test(`${wire} refuses ${refuses}`, () => {
      expect(judge(wire, { ...base, ...change })[0]?.message ?? "accepted").toContain(says);
    });
  }
}
