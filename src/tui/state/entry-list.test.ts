// The list behaves like an array that is appended to and shortened at its front.
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { TranscriptEntry } from "./entry.ts";
import { EntryList } from "./entry-list.ts";

const entry = (id: number): TranscriptEntry => ({ kind: "notice", tone: "info", text: "", id, gap: false });

test("appending and dropping gives what an array would give", () => {
  const step = fc.record({ add: fc.nat(600), drop: fc.nat(400) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), fc.nat(2_000), (steps, index) => {
      let list = new EntryList();
      let array: TranscriptEntry[] = [];
      let id = 0;
      for (const { add, drop } of steps) {
        const added = Array.from({ length: add }, () => entry(id++));
        list = list.append(added).withoutFirst(drop);
        array = [...array, ...added].slice(drop);
      }
      expect(list.length).toBe(array.length);
      expect([...list]).toEqual(array);
      expect(list.from(index)).toEqual(array.slice(index));
      expect(list.at(index)).toEqual(array[index]);
      expect(list.at(-1)).toEqual(array.at(-1));
    }),
  );
});
