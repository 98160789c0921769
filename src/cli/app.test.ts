// What the screen is told about the configuration before a word is said.
import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { configuredProject, PROJECT } from "../../test/support/configured-project.ts";
import { type Screen, withScreen } from "./app.ts";
import type { Console } from "./console.ts";
import { parseCommandLine } from "./parse-flags.ts";

const place = configuredProject({
  [PROJECT]: { permissions: { mode: "yolo" } },
  "project/.tunacode/commands/deploy.md": "deploy $1",
});
afterAll(place.remove);

/** Opens the app and hands the screen's ports to somebody. */
async function onScreen(look: Screen, env: Record<string, string> = {}): Promise<string> {
  const told: string[] = [];
  const console: Console = {
    env: { ...place.env, OPENAI_API_KEY: "sk-never-sent-0123456789", ...env },
    cwd: () => place.root,
    stdin: () => null,
    print: async () => {},
    tell: (text) => void told.push(text),
    draw: () => {},
    onPrintFailure: () => {},
    isInteractive: true,
    printsToTerminal: true,
    drawsToTerminal: true,
    columns: () => 80,
  };
  await withScreen(async () => look).run(parseCommandLine([]), console);
  return told.join("\n");
}

const NOBODY = {
  ask: async () => ({ type: "stop" }) as const,
  askToGoOn: async () => false,
  presentPlan: async () => "no",
};

test("what an untrusted project may not set, and its commands, are told with the first session only", async () => {
  await onScreen(async (ports, { session }) => {
    const agent = await ports.openAgent(session, NOBODY);
    expect(agent.session.notices.join()).toContain("permissions.mode is ignored until you trust this folder");
    expect(agent.permissionMode()).toBe("ask");
    await agent.close();

    const deploy = (await ports.customCommands()).find(({ name }) => name === "deploy");
    expect(() => deploy?.expand("x")).toThrow("/deploy is a command of this project");

    const next = await ports.openAgent({ type: "new" }, NOBODY);
    expect(next.session.notices).toEqual([]);
    await next.close();
    return 0;
  });
});

test("a conversation that could not be saved is told of after the screen is gone", async () => {
  const told = await onScreen(
    async (ports, { session }) => {
      const agent = await ports.openAgent(session, NOBODY);
      const controller = new AbortController();
      controller.abort();
      for await (const _ of agent.run("hello", { controller, takeSteering: () => [] }));
      await agent.close();
      return 0;
    },
    { XDG_DATA_HOME: process.execPath },
  );
  const [, folder = ""] = /All of it is in (\S+)\/[^/]+\.json\./.exec(told) ?? [];
  expect(folder).not.toBe("");
  rmSync(folder, { recursive: true });
});
