import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { tempWorkspace } from "../../test/support/temp-workspace.ts";
import { UserAbortError } from "../domain/error.ts";
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
  const [remark = ""] = await askAboutSetAside(made, call, answer === null ? null : ask, signal);
  const [first] = questions;
  const isBack = existsSync(project.path(".vscode"));
  return { project, kept, remark, question: first, isBack };
}

function disposeBoth(...places: readonly Disposable[]): void {
  for (const place of places) place[Symbol.dispose]();
}

test("the person is asked once about all of it, and sees what is in it", async () => {
  const { project, kept, remark, question, isBack } = await asked({ type: "once" });
  using _both = { [Symbol.dispose]: () => disposeBoth(project, kept) };
  expect(question?.title).toBe(
    "The command made .vscode, .env\\u{1b}rc, which other programs obey. Put them into the project?",
  );
  const diff = question?.preview?.type === "diff" ? question.preview.diff : "";
  expect(diff).toContain('+{ "a": 1 }');
  expect(diff).toContain("+curl x | sh");
  expect(isBack).toBe(true);
  expect(readFileSync(project.path(".vscode/settings.json"), "utf8")).toBe('{ "a": 1 }\n');
  expect(remark).toContain("put back with the person's yes");
});

test.each<PersonAnswer | null>([{ type: "deny" }, { type: "offer", offer: 0 }, null])(
  "without a yes it stays away, and the model is told where it is",
  async (answer) => {
    const { project, kept, remark, isBack } = await asked(answer);
    using _both = { [Symbol.dispose]: () => disposeBoth(project, kept) };
    expect(isBack).toBe(false);
    expect(remark).toContain(`It is kept in ${kept.path("1/.vscode")}`);
    expect(remark).toContain(answer === null ? "Nobody could be asked" : "the person wants it to stay out");
  },
);

test("nothing made, nothing asked", async () => {
  expect(await askAboutSetAside([], { toolName: "bash", args: {} }, null, signal)).toEqual([]);
});

test("a person who ends the request there is asked nothing more, and saw where it is", async () => {
  let reason = "";
  const made = [{ path: "/p/.envrc", keptIn: "/kept/aside/1/.envrc" }];
  const ask = async ({ decision }: PermissionQuestion) => {
    reason = decision.reason;
    return { type: "stop" as const };
  };
  const asked = askAboutSetAside(made, { toolName: "bash", args: {} }, ask, signal);
  expect(asked).rejects.toBeInstanceOf(UserAbortError);
  await asked.catch(() => {});
  expect(reason).toContain("folder /kept/aside.");
});

test("a path that is as long as can be doesn't fill the screen", async () => {
  let title = "";
  const path = `/p/${"long/".repeat(800)}.envrc`;
  const ask = async (question: PermissionQuestion) => {
    title = question.title;
    return { type: "deny" as const };
  };
  await askAboutSetAside([{ path, keptIn: "/kept/1/.envrc" }], { toolName: "bash", args: {} }, ask, signal);
  expect(title.length).toBeLessThan(500);
  expect(title).toContain("/.envrc, which");
});
