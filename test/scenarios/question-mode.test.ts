// Shift-Tab beside a question changes the mode, and what the new mode settles is no longer asked.

import { expect, test } from "bun:test";
import type { PersonAnswer } from "../../src/domain/permission.ts";
import { createDiskView } from "../../src/permission/disk.ts";
import { createPermit } from "../../src/permission/permit.ts";
import { VOCABULARY } from "../support/asked-call.ts";
import { catalogTool } from "../support/bound-tool.ts";
import { outline } from "../support/scenario.ts";
import { tempWorkspace } from "../support/temp-workspace.ts";
import { type RunningApp, startApp } from "../support/terminal-app.ts";

test("an open question is decided on again when the mode changes, and asked again if need be", async () => {
  using workspace = tempWorkspace();
  const answers: PersonAnswer[] = [];
  const app: RunningApp = startApp({
    options: { prompt: "go" },
    turns: [
      [{ call: "write_file", args: { filepath: "a.txt", content: "x" } }],
      [{ call: "bash", args: { command: "touch first" } }],
      [{ call: "bash", args: { command: "touch second" } }],
      [{ text: "the end" }],
    ],
    tools: ["write_file", "bash"].map((name) => catalogTool(name, { workspace })),
    permit: ({ askPermission }) =>
      createPermit({
        context: async () => ({
          mode: app.mode(),
          rules: [],
          vocabulary: VOCABULARY,
          workspace: { root: workspace.root, cwd: workspace.root },
          home: "/nonexistent",
          trusted: false,
          sandbox: false,
          disk: createDiskView({ PATH: "/usr/bin:/bin" }),
          environment: {},
        }),
        ask: async (question, signal) => {
          const answer = await askPermission(question, signal);
          answers.push(answer);
          return answer;
        },
        remember: () => {},
      }),
  });
  await app.see("May this file be written?");
  app.press("shiftTab");
  await app.see("$ touch first");
  expect(app.mode()).toBe("auto-edit");
  expect(await Bun.file(workspace.path("a.txt")).text()).toBe("x");
  app.type("y");
  await app.see("$ touch second");
  app.press("shiftTab");
  await app.see("the end");
  expect(app.mode()).toBe("read-only");
  expect(answers.map(({ type }) => type)).toEqual(["changed", "once", "changed"]);
  expect(outline(app.messages())).toContain("return:bash(failed)");
  await app.leave();
});
