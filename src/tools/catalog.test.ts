import { describe, expect, test } from "bun:test";
import { plainShell } from "../../test/support/bound-tool.ts";
import { tempWorkspace } from "../../test/support/temp-workspace.ts";
import { estimateTokens } from "../domain/tokens.ts";
import { toolKind } from "../domain/tool.ts";
import * as bash from "./bash.ts";
import { MAX_OUTPUT_CHARACTERS } from "./bash-output.ts";
import { createTools } from "./catalog.ts";
import * as page from "./fetch-page.ts";
import * as glob from "./glob.ts";
import * as grep from "./grep.ts";
import { MAX_INPUT_BYTES } from "./http-get.ts";
import * as listDir from "./list-dir.ts";
import * as readFile from "./read-file.ts";
import * as research from "./research-codebase.ts";
import { publicNetwork } from "./web-address.ts";
import * as web from "./web-fetch.ts";

using workspace = tempWorkspace();
const tools = createTools({
  workspace,
  shell: plainShell,
  ripgrepPath: async () => "rg",
  research: async () => "",
  presentPlan: async () => "",
  spillFolder: async () => workspace.root,
  mask: (text) => text,
  network: publicNetwork,
});
const names = tools.map(({ name }) => name);
const comma = (value: number) => value.toLocaleString("en");

/** What the prose says in numbers, written with the constants that make it true. */
const CLAIMS: Readonly<Record<string, readonly string[]>> = {
  read_file: [
    `${comma(readFile.MAX_LINES)} lines of ${comma(readFile.MAX_LINE_CHARACTERS)} characters`,
    "-100 gives the last 100 lines",
  ],
  list_dir: [`${listDir.MAX_ENTRIES} entries`],
  glob: [`newest first, at most ${glob.MAX_FILES_FOUND}`],
  grep: [
    `up to ${grep.MAX_CONTEXT_LINES} lines around`,
    `\`max_results\` matches: ${grep.DEFAULT_RESULTS} unless given, at most ${comma(grep.MAX_MATCHES)}`,
  ],
  bash: [
    `\`timeout\` in seconds: ${bash.DEFAULT_COMMAND_SECONDS} unless given, at most ${bash.MAX_COMMAND_SECONDS}`,
    `over ${comma(MAX_OUTPUT_CHARACTERS)} characters`,
  ],
  web_fetch: [
    `\`timeout\` in seconds: ${web.DEFAULT_FETCH_SECONDS} unless given, at most ${web.MAX_FETCH_SECONDS}`,
    `at most ${MAX_INPUT_BYTES / 1024 / 1024} MB`,
    `at most ${page.MAX_OUTPUT_BYTES / 1024} KB`,
  ],
  research_codebase: [`${research.DEFAULT_FILES} unless given, at most ${research.MAX_FILES}`],
};

test("there are eleven tools, and their kinds decide when they run", () => {
  expect(Object.fromEntries(tools.map((tool) => [tool.name, toolKind(tool)]))).toEqual({
    research_codebase: "research",
    read_file: "read",
    grep: "read",
    glob: "read",
    list_dir: "read",
    web_fetch: "read",
    present_plan: "read",
    submit: "read",
    bash: "write",
    write_file: "write",
    update_file: "write",
  });
});

describe("the prose agrees with the code", () => {
  for (const { name, description, parameters } of tools) {
    test(`${name}: every number`, () => {
      let rest = description;
      for (const claim of CLAIMS[name] ?? []) {
        expect(description).toContain(claim);
        rest = rest.replace(claim, "");
      }
      expect(rest).not.toMatch(/\d/);
    });

    test(`${name}: every name`, () => {
      const known = [...names, ...Object.keys(parameters["properties"] ?? {})];
      const mentioned = [...description.matchAll(/\b[a-z]+_[a-z_]+\b|`([a-z_]+)`/g)].map(
        ([word, quoted]) => quoted ?? word,
      );
      expect(mentioned.filter((word) => !known.includes(word))).toEqual([]);
    });
  }
});

test("all descriptions together are short", () => {
  const characters = tools.map(
    ({ name, description, parameters }) => JSON.stringify({ name, description, parameters }).length,
  );
  const tokens = estimateTokens(characters.reduce((sum, count) => sum + count));
  // With the system prompt it has to stay under 3,000.
  expect(tokens).toBeLessThan(1_700);
});
