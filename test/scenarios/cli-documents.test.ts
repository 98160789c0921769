// The documents match the command line: keys, flags, exit codes, events.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import configSchema from "../../docs/schema/config.schema.json";
import { flagsOf } from "../../src/cli/flags.ts";
import { configJsonSchema } from "../../src/config/schema.ts";
import type { AgentEvent } from "../../src/domain/event.ts";
import { PROVIDERS } from "../../src/models/catalog.ts";

const read = (name: string) => readFileSync(join(import.meta.dir, "../../docs", name), "utf8");

test("the published schema of the configuration is the one in use", () => {
  expect(configSchema as unknown).toEqual(JSON.parse(JSON.stringify(configJsonSchema())));
});

test("configuration.md names every key", () => {
  const text = read("configuration.md");
  for (const key of keysOf(configJsonSchema() as Schema)) expect(text).toContain(`\`${key}\``);
});

test("headless.md and models.md name every flag of run, headless.md every event and exit code", () => {
  const text = read("headless.md") + read("models.md");
  for (const [name] of flagsOf("run")) if (name !== "help") expect(text).toContain(`--${name}`);
  for (const code of [0, 1, 2, 3, 4, 5, 6, 124, 130, 141]) expect(text).toContain(`\n| ${code} |`);
  for (const type of Object.keys(EVENTS)) expect(text).toContain(`\`${type}\``);
});

test("models.md names every provider, its key and its address", () => {
  const text = read("models.md");
  for (const { name, keyNames, baseUrlNames, local } of PROVIDERS) {
    expect(text).toContain(`| ${name} |`);
    for (const variable of [...(local ? [] : keyNames), ...baseUrlNames])
      expect(text).toContain(`\`${variable}\``);
  }
});

test("the example for continuous integration builds tunacode, and gives run flags that it has", () => {
  const text = read("ci/tunacode-review.yml");
  expect(text).not.toMatch(/npx tunacode|npm (?:i|install|exec)\b/);
  expect(JSON.parse(read("../package.json")).scripts.build).toContain("scripts/build.ts");
  expect(text).toContain("npm ci && npm run build");
  const command = /dist\/tunacode" run([\s\S]*?)"Review/.exec(text)?.[1] ?? "";
  const given = [...command.matchAll(/--([a-z-]+)/g)].map(([, name]) => name);
  expect(given.length).toBeGreaterThan(2);
  for (const name of given) expect(flagsOf("run").map(([known]) => String(known))).toContain(String(name));
});

/** The type makes sure that no event is missing. */
const EVENTS: Readonly<Record<AgentEvent["type"], true>> = {
  "request-start": true,
  "model-change": true,
  "node-start": true,
  "text-delta": true,
  "thought-delta": true,
  "call-delta": true,
  "message-end": true,
  thought: true,
  "batch-start": true,
  "review-start": true,
  review: true,
  "tool-start": true,
  "tool-progress": true,
  "tool-end": true,
  "files-changed": true,
  restored: true,
  usage: true,
  notice: true,
  "retry-wait": true,
  waiting: true,
  repair: true,
  compaction: true,
  "simpler-form": true,
  "request-end": true,
};

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** The paths of the leaves. */
function keysOf({ properties = {} }: Schema, path = ""): string[] {
  return Object.entries(properties).flatMap(([name, child]) =>
    child.properties === undefined ? [`${path}${name}`] : keysOf(child, `${path}${name}.`),
  );
}
