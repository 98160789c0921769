// After an abort nothing keeps the process alive: no hung tool, no hung model, no timer.
import { expect, test } from "bun:test";
import { join } from "node:path";

const program = (turns: string) => `
  import { processRequest } from "${join(import.meta.dir, "../../src/app/process-request.ts")}";
  import { memoryStateManager } from "${join(import.meta.dir, "../../src/app/agent.ts")}";
  import { scriptedModel } from "${join(import.meta.dir, "../../src/models/scripted.ts")}";
  import { UserAbortError } from "${join(import.meta.dir, "../../src/domain/error.ts")}";
  const controller = new AbortController();
  const hang = { name: "hang", kind: "write", description: "", parameters: {}, deadlineMs: 600_000,
    execute: () => new Promise(() => {}) };
  const model = scriptedModel({ turns: ${turns} });
  const manager = memoryStateManager({ createModel: async () => model, tools: [hang], loop: { requestTimeoutSeconds: 600 } });
  setTimeout(() => controller.abort(new UserAbortError()), 50);
  await processRequest("go", model, manager, {}, { controller }).catch((error) => console.log(error.code));
  console.log(JSON.stringify(manager.session.conversation.messages.at(-1).parts));
`;

test.each([
  ["a tool", "[[{ call: 'hang' }]]"],
  ["a model", "[[{ text: 'so far' }, { hang: true }]]"],
  ["a wait", "[[{ delayMs: 600_000 }]]"],
])("%s that hangs does not outlive the abort", async (_name, turns) => {
  const child = Bun.spawn([process.execPath, "-e", program(turns)], { stdout: "pipe", stderr: "inherit" });
  const timer = setTimeout(() => child.kill(9), 10_000);
  const output = await new Response(child.stdout).text();
  expect(await child.exited).toBe(0);
  clearTimeout(timer);
  expect(output).toContain("aborted");
  expect(output).toContain("[INTERRUPTED]");
});
