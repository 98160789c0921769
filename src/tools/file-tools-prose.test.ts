// What the model is told about the file tools matches what they do.
import { expect, test } from "bun:test";
import { boundTool } from "../../test/support/bound-tool.ts";
import { MAX_LINE_CHARACTERS, MAX_LINES, readFile } from "./read-file.ts";
import { updateFile } from "./update-file.ts";
import { writeFile } from "./write-file.ts";

const workspace = { root: "/", cwd: () => "/", setCwd: () => {} };
const tools = [readFile, writeFile, updateFile].map((tool) => boundTool(tool, { workspace }));
const OTHER_TOOLS = ["list_dir"];
const MOST_TOKENS = 220;

const parametersOf = (tool: (typeof tools)[number]) => Object.keys(Object(tool.parameters["properties"]));

test.each(tools.map((tool) => [tool.name, tool] as const))(
  "%s has a short description",
  (_name, { description, parameters }) => {
    expect((description.length + JSON.stringify(parameters).length) / 4).toBeLessThanOrEqual(MOST_TOKENS);
  },
);

test.each(tools.map((tool) => [tool.name, tool] as const))(
  "%s's prose names only what exists",
  (_name, tool) => {
    const known = [...tools.map(({ name }) => name), ...OTHER_TOOLS, ...parametersOf(tool)];
    const named = tool.description.match(/\b[a-z]+_[a-z_]+\b/g) ?? [];
    for (const name of named) expect(known).toContain(name);
  },
);

test("the parameters are those of the contract, optional where it says so", () => {
  const shapes = tools.map((tool) => [tool.name, parametersOf(tool), tool.parameters["required"]]);
  expect(shapes).toEqual([
    ["read_file", ["filepath", "offset", "limit"], ["filepath"]],
    ["write_file", ["filepath", "content"], ["filepath", "content"]],
    [
      "update_file",
      ["filepath", "old_text", "new_text", "replace_all"],
      ["filepath", "old_text", "new_text"],
    ],
  ]);
});

test("read_file's prose states its real limits", () => {
  const prose = tools[0]?.description ?? "";
  expect(prose).toContain(
    `${MAX_LINES.toLocaleString("en")} lines of ${MAX_LINE_CHARACTERS.toLocaleString("en")} characters`,
  );
  expect(prose.match(/[\d,]*\d/g)).toEqual(["2,000", "2,000", "100", "100"]);
  expect(tools[0]?.parameters).toMatchObject({ properties: { limit: { default: MAX_LINES } } });
});
