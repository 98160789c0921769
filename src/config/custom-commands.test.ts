// Custom commands: found where they should be, and their words put where they belong.
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { configuredProject } from "../../test/support/configured-project.ts";
import { type CustomCommand, expandCommand, loadCustomCommands, splitCommand } from "./custom-commands.ts";
import { trustFolder } from "./trust.ts";

const place = configuredProject({
  ".config/tunacode/commands/review.md": '---\ndescription: "Look at it"\n---\nReview $1 for $2.\n',
  ".config/tunacode/commands/plan.md": "Make a plan.\nWith steps.",
  ".config/tunacode/commands/empty.md": "---\ndescription: nothing\n---\n",
  ".config/tunacode/commands/.hidden.md": "x",
  ".config/tunacode/commands/notes.txt": "x",
  "project/.tunacode/commands/review.md": "The project's review.",
  "project/.tunacode/commands/deploy.md": "Deploy $ARGUMENTS.",
});
mkdirSync(join(place.root, ".tunacode/commands/folder.md"));
afterAll(() => place.remove());

const command = (template: string): CustomCommand => ({
  name: "c",
  description: "",
  source: "person",
  path: "",
  template,
  digest: "",
});

test("a trusted project's commands override personal ones", async () => {
  await trustFolder(place.env, place.root);
  const { commands, withheld } = await loadCustomCommands(place, true);
  expect(commands.map(({ name, source, description }) => `${name} ${source} ${description}`)).toEqual([
    "deploy project Deploy $ARGUMENTS.",
    "plan person Make a plan.",
    "review project The project's review.",
  ]);
  expect(withheld).toEqual([]);
});

test("a command that is new or changed since the folder was trusted needs a new yes", async () => {
  place.write("project/.tunacode/commands/review.md", "Something else.");
  place.write("project/.tunacode/commands/extra.md", "New.");
  const before = await loadCustomCommands(place, true);
  expect(before.withheld.map(({ name }) => name).sort()).toEqual(["extra", "review"]);
  expect(before.commands.map(({ name, source }) => `${name} ${source}`)).toContain("review person");
  await trustFolder(place.env, place.root);
  expect((await loadCustomCommands(place, true)).withheld).toEqual([]);
  unlinkSync(join(place.root, ".tunacode/commands/extra.md"));
});

test("a command that leads out of its project is listed with the reason, and can't be used", async () => {
  const link = join(place.root, ".tunacode/commands/key.md");
  symlinkSync(place.write("secret", "the key"), link);
  await trustFolder(place.env, place.root);
  const found = (await loadCustomCommands(place, true)).commands.find(({ name }) => name === "key");
  expect(found).toMatchObject({ template: "", description: "can't be used: it leads out of the project" });
  expect(() => expandCommand(found ?? command(""), "")).toThrow(/key\.md leads out of the project/);
  unlinkSync(link);
});

test("an untrusted project's commands are listed but not used", async () => {
  const { commands, withheld } = await loadCustomCommands(place, false);
  expect(commands.map(({ name, description }) => `${name}: ${description}`)).toEqual([
    "plan: Make a plan.",
    "review: Look at it",
  ]);
  expect(withheld.map(({ name }) => name).sort()).toEqual(["deploy", "review"]);
});

test.each([
  ["Review $1 for $2.", `src "old bugs" more`, "Review src for old bugs."],
  ["Do $ARGUMENTS now.", ` a  "b c" `, `Do a  "b c" now.`],
  ["Do $1$9.", "x", "Do x."],
  ["Costs $10, $1.", "x", "Costs $10, x."],
  ["Say $1.", "$ARGUMENTS", "Say $ARGUMENTS."],
  ["No place.", "some words", "No place.\n\nsome words"],
  ["No place.", "", "No place."],
])("%j with %j is %j", (template, words, expected) => {
  expect(expandCommand(command(template), words)).toBe(expected);
});

test.each([
  ["/review src x", { name: "review", words: "src x" }],
  ["/review", { name: "review", words: "" }],
  ["  /review\nmore", { name: "review", words: "more" }],
  ["/etc/passwd is odd", undefined],
  ["review", undefined],
  ["/ a", undefined],
])("%j splits", (prompt, expected) => expect(splitCommand(prompt)).toEqual(expected));
