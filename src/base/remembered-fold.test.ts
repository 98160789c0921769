// The memory of a fold saves steps and changes nothing else.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Fold, foldAll, rememberedFold } from "./remembered-fold.ts";

interface Item {
  readonly name: string;
}

const items = (names: string): Item[] => [...names].map((name) => ({ name }));

/** Joins names with their places, in a state that is changed in place, and counts its steps. */
function joining() {
  const counted = { steps: 0 };
  const fold: Fold<Item, { text: string }> = {
    start: () => ({ text: "" }),
    step: (state, { name }, at) => {
      counted.steps++;
      if (name === "!") throw new Error("a bad item");
      state.text += `${at}${name} `;
      return state;
    },
  };
  return { counted, fold, joined: rememberedFold(fold) };
}

describe("a list that was seen before", () => {
  test("costs no step, in the same array or in another", () => {
    const { counted, joined } = joining();
    const list = items("abc");
    expect(joined(list).text).toBe("0a 1b 2c ");
    expect(joined(list).text).toBe("0a 1b 2c ");
    expect(joined([...list]).text).toBe("0a 1b 2c ");
    expect(counted.steps).toBe(3);
  });

  test("costs the steps of what was added to it, also in place", () => {
    const { counted, joined } = joining();
    const list = items("abc");
    joined(list);
    list.push(...items("d"));
    expect(joined(list).text).toBe("0a 1b 2c 3d ");
    expect(joined([...list, ...items("ef")]).text).toBe("0a 1b 2c 3d 4e 5f ");
    expect(counted.steps).toBe(6);
  });

  test("costs nothing either after another conversation", () => {
    const { counted, joined } = joining();
    const [one, other] = [items("abc"), items("xy")];
    for (const list of [one, other, one, other]) joined(list);
    expect(joined(one).text).toBe("0a 1b 2c ");
    expect(counted.steps).toBe(5);
  });
});

test("an equal element is not the same one", () => {
  const { counted, joined } = joining();
  const list = items("abc");
  joined(list);
  joined(list.with(1, { name: "b" }));
  expect(counted.steps).toBe(6);
});

test("a step that throws is forgotten", () => {
  const { joined } = joining();
  const list = items("ab");
  joined(list);
  expect(() => joined([...list, ...items("c!")])).toThrow("a bad item");
  expect(joined([...list, ...items("cd")]).text).toBe("0a 1b 2c 3d ");
});

test("no list means no memory", () => {
  const { joined } = joining();
  expect(joined([])).not.toBe(joined([]));
});

test("whatever happens to a list, the result is that of a fold from the beginning", () => {
  const change = fc.record({
    how: fc.constantFrom("push", "replace", "drop", "insert", "cut", "swap", "again", "copy"),
    where: fc.nat(),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
      const { fold, joined } = joining();
      let list = items("abcd");
      for (const { how, where } of changes) {
        list = changed(list, how, where % (list.length + 1));
        expect(joined(list)).toEqual(foldAll(list, fold));
      }
    }),
    { seed: 1, numRuns: 1_000 },
  );
});

/** In place or not: callers do both. */
function changed(list: Item[], how: string, at: number): Item[] {
  const item = { name: "n" };
  switch (how) {
    case "push":
      list.push(item);
      return list;
    case "replace":
      if (at < list.length) list[at] = item;
      return list;
    case "drop":
      return list.toSpliced(at, 1);
    case "insert":
      return list.toSpliced(at, 0, item);
    case "cut":
      list.length = at;
      return list;
    case "swap":
      return [...list.slice(at), ...list.slice(0, at)];
    case "copy":
      return structuredClone(list);
    default:
      return list;
  }
}
