// What the desk asks for, on a real project with real sessions.
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newRequestId } from "../../src/domain/ids.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { scriptedProject } from "../support/scripted-project.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "tunacode-ports-")));
const root = join(home, "project");
mkdirSync(join(root, ".git"), { recursive: true });
writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/feature/x\n");
writeFileSync(join(root, ".gitignore"), "hidden.txt\n");
writeFileSync(join(root, "hidden.txt"), "no");
writeFileSync(join(root, "shown.txt"), "yes");
writeFileSync(join(home, "outside.txt"), "far");
afterAll(() => rmSync(home, { recursive: true }));

const nobody = {
  askPermission: async () => ({ type: "once" }) as const,
  askToGoOn: async () => false,
  askAboutPlan: async () => "no",
};
const env = { HOME: home, OPENAI_API_KEY: "sk-of-a-person-1234" };
const model = scriptedModel({ name: "openai:gpt-4o", turns: [[{ text: "An answer." }]] });
const ports = scriptedProject({ cwd: root, env, session: { type: "new" }, model, mode: "ask" });
const opening = { notify: () => {} };

test("files of the project without the ignored ones, the branch, attachments inside and outside", async () => {
  expect(await ports.fileIndex([])).toEqual([".gitignore", "shown.txt"]);
  mkdirSync(join(home, "library"));
  writeFileSync(join(home, "library", "far.txt"), "far");
  expect(await ports.fileIndex([join(home, "library")])).toContain(join(home, "library", "far.txt"));
  expect(ports.folder).toBe("~/project");
  expect(await ports.gitBranch()).toBe("feature/x");
  expect(await ports.readAttachment("shown.txt")).toMatchObject({ text: expect.stringContaining("yes") });
  expect(await ports.readAttachment(join(home, "outside.txt"))).toMatchObject({
    text: expect.stringContaining("far"),
  });
  expect(await ports.readAttachment("nowhere.txt")).toBeNull();
});

test("a session is run, listed, previewed, renamed and forked; its model is then the first to choose", async () => {
  const agent = await ports.openAgent({ type: "new" }, nobody, opening);
  const options = {
    controller: new AbortController(),
    requestId: newRequestId(),
    takeSteering: () => [],
    takeRemarks: () => [],
  };
  for await (const _event of agent.run("A question?", options));
  await agent.rename("Named");
  await agent.close();
  const [listed] = await ports.listSessions();
  expect(listed).toMatchObject({ id: agent.session.id, title: "Named", model: "openai:gpt-4o" });
  expect(await ports.previewSession(agent.session.id)).toBe("> A question?\n\nAn answer.");
  const fork = await ports.openAgent({ type: "fork", id: agent.session.id }, nobody, opening);
  expect(fork.messages()).toEqual(agent.messages());
  expect(fork.session.id).not.toBe(agent.session.id);
  await fork.close();
  expect((await ports.listModels())[0]).toMatchObject({ name: "openai:gpt-4o", recent: true });
});

test("prompts are remembered, newest first and once each; keys in them are hidden", async () => {
  for (const text of ["one", "two", "one", "use sk-of-a-person-1234"]) await ports.rememberPrompt(text);
  expect(await ports.promptHistory()).toEqual(["use [key hidden]", "one", "two"]);
});

test("a person's own command runs, and stops when they say so", async () => {
  const shown: string[] = [];
  const run = { signal: new AbortController().signal, onOutput: (text: string) => shown.push(text) };
  expect(await ports.runShell("echo out; exit 3", run)).toEqual({ output: "out\n", exitCode: 3 });
  expect(shown.join("")).toBe("out\n");
  const controller = new AbortController();
  const stopping = ports.runShell("sleep 60", { signal: controller.signal, onOutput: () => {} });
  setTimeout(() => controller.abort(), 50);
  expect((await stopping).exitCode).toBeNull();
});

test("an export is written into the working directory and never over another file", async () => {
  expect(await ports.exportFile("talk.md", "text")).toBe(join(root, "talk.md"));
  expect(await ports.exportFile("talk.md", "other")).toBe(join(root, "talk-2.md"));
  expect(readFileSync(join(root, "talk.md"), "utf8")).toBe("text");
  await expect(ports.exportFile("nowhere/talk.md", "text")).rejects.toThrow(
    `There is no folder ${join(root, "nowhere")}. Nothing was written.`,
  );
});
