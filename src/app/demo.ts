// The demo: the scripted tour on the sample project, with the real loop, tools, permission rules and session.
import { join } from "node:path";
import type { Environment } from "../base/xdg.ts";
import type { AgentEvent, Outcome } from "../domain/event.ts";
import { type Agent, openAgent } from "./compose.ts";
import { BROKEN_FILE, createDemoProject, demoTestsPass, TEST_COMMAND } from "./demo-project.ts";
import { demoModel, TOUR_MODEL, TOUR_PROMPT } from "./demo-tour.ts";
import { runRequest } from "./run-request.ts";

export interface Demo {
  readonly agent: Agent;
  readonly folder: string;
  readonly prompt: string;
  /** Besides reading, it may run this command and change this file. */
  readonly mayRun: string;
  readonly mayChange: string;
  readonly events: (controller: AbortController) => AsyncGenerator<AgentEvent, Outcome>;
  readonly testsPass: () => Promise<boolean>;
}

export async function openDemo(env: Environment, notify: (text: string) => void): Promise<Demo> {
  const folder = createDemoProject(env);
  const model = demoModel(TOUR_MODEL);
  const allow = [`bash(${TEST_COMMAND})`, `update_file(${join(folder, BROKEN_FILE)})`];
  const agent = await openAgent({
    cwd: folder,
    env,
    session: { type: "new" },
    models: { scripted: model },
    // Its one command is allowed by a rule; probing for a sandbox would only slow the tour down.
    permission: { mode: "ask", rules: [{ source: "command line", allow }], sandbox: "off" },
    trusted: false,
    notify,
  });
  await agent.session.writer?.title(`Scripted demo: ${TOUR_PROMPT}`);
  return {
    agent,
    folder,
    prompt: TOUR_PROMPT,
    mayRun: TEST_COMMAND,
    mayChange: BROKEN_FILE,
    events: (controller) => runRequest(TOUR_PROMPT, model, agent.manager, { controller }),
    testsPass: () => demoTestsPass(folder),
  };
}
