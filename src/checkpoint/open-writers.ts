// Which files some process has open to write to, as far as this system tells: Linux does, of a person's own processes.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";
import { createTimeSlices } from "../base/time-slices.ts";

/** The bits of open's flags that permit writing. */
const WRITING = 0o3;

/** Of the files whose names begin like this, the names of those that are open. */
export async function openForWriting(start: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  if (process.platform !== "linux") return found;
  const slices = createTimeSlices();
  for (const process of attempt(() => readdirSync("/proc"), []).filter((name) => /^\d+$/.test(name))) {
    const folder = `/proc/${process}`;
    for (const descriptor of attempt(() => readdirSync(`${folder}/fd`), [])) {
      const name = basename(attempt(() => readlinkSync(`${folder}/fd/${descriptor}`), ""));
      if (name.startsWith(start) && mayWrite(`${folder}/fdinfo/${descriptor}`)) found.add(name);
    }
    if (slices.due()) await slices.rest();
  }
  return found;
}

function mayWrite(path: string): boolean {
  const flags = /^flags:\s*([0-7]+)$/m.exec(attempt(() => readFileSync(path, "utf8"), ""))?.[1];
  return flags !== undefined && (Number.parseInt(flags, 8) & WRITING) !== 0;
}

/** Processes end while we look, and those of others are none of our business. */
function attempt<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
