// Events of a stream with something wrong in them: a field lost, or of another kind than anybody expects.
import { isJsonObject, type JsonValue } from "../../src/base/json.ts";

/** One to three places, of all there are in the events. `next` gives the next of many numbers. */
export function damagedEvents(frames: readonly string[], next: () => number): string[] {
  const damaged = [...frames];
  for (let count = 1 + (next() % 3); count > 0 && damaged.length > 0; count--) {
    const index = next() % damaged.length;
    damaged[index] =
      damaged[index]?.replace(/(?<=^data: ?)\{.*\}(?=\r?$)/m, (json) => damage(json, next)) ?? "";
  }
  return damaged;
}

const ODD: readonly JsonValue[] = [null, true, 0, -1, 1.5, "", "odd", [], {}, [{}], ["odd"], { type: "odd" }];

function damage(json: string, next: () => number): string {
  const event = parsed(json);
  const places = placesIn(event);
  const place = places[next() % Math.max(places.length, 1)];
  if (place === undefined) return json;
  const { holder, key } = place;
  if (next() % 3 === 0) Reflect.deleteProperty(holder, key);
  else Reflect.set(holder, key, ODD[next() % ODD.length]);
  return JSON.stringify(event);
}

/** Some frames hold what isn't JSON. */
function parsed(json: string): JsonValue {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

interface Place {
  readonly holder: object;
  readonly key: string;
}

function placesIn(value: JsonValue): Place[] {
  if (!Array.isArray(value) && !isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [{ holder: value, key }, ...placesIn(inner)]);
}
