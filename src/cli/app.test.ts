// What the screen learns about the configuration before the first prompt.
import { afterAll, expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { configuredProject, PERSONAL, PROJECT } from "../../test/support/configured-project.ts";
import { type StrictServer, startStrictServer } from "../../test/support/strict-llm-server/server.ts";
import { answer } from "../../test/support/strict-llm-server/turn.ts";
import type { Front, FrontEvent } from "../front/contract.ts";
import { type Screen, withScreen } from "./app.ts";
import type { Console } from "./console.ts";
import { parseCommandLine } from "./parse-flags.ts";

const place = configuredProject({
  [PROJECT]: { permissions: { mode: "yolo" } },
  "project/.tunacode/commands/deploy.md": "deploy $1",
});
afterAll(place.remove);

/** Opens the app with this screen, and returns what stderr was told. */
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
  await withScreen(async () => look)(parseCommandLine([]), console);
  return told.join("\n");
}

/** Waits for an event, which may have happened already. */
function listening(front: Front) {
  const told: FrontEvent[] = [];
  front.subscribe((event) => told.push(event));
  return async <Type extends FrontEvent["type"]>(type: Type, nth = 1) => {
    for (let tries = 0; tries < 400; tries++) {
      const found = told.filter((event): event is Extract<FrontEvent, { type: Type }> => event.type === type);
      const event = found[nth - 1];
      if (event !== undefined) return event;
      await Bun.sleep(10);
    }
    throw new Error(`${type} never came: ${JSON.stringify(told.map((event) => event.type))}`);
  };
}

test("what an untrusted project may not set, and its commands, are reported with the first session only", async () => {
  await onScreen(async (front, { session }) => {
    const hear = listening(front);
    front.send({ type: "open", session });
    const opened = await hear("session-opened");
    expect(opened.notices.join()).toContain("permissions.mode is ignored until you trust this folder");
    expect(opened.status.mode).toBe("ask");

    front.send({ type: "say", text: "/deploy x" });
    expect((await hear("note")).text).toContain("/deploy is a command of this project");

    front.send({ type: "say", text: "/new" });
    expect((await hear("session-opened", 2)).notices).toEqual([]);
    await front.close();
    return 0;
  });
});

test("a conversation that could not be saved is reported after the screen is closed", async () => {
  const told = await onScreen(
    async (front, { session }) => {
      const hear = listening(front);
      front.send({ type: "open", session });
      front.send({ type: "say", text: "hello" });
      await hear("prompt-sent");
      front.send({ type: "stop" });
      await hear("work-ended");
      await front.close();
      return 0;
    },
    { XDG_DATA_HOME: process.execPath },
  );
  const [, folder = ""] = /All of it is in (\S+)\/[^/]+\.json\./.exec(told) ?? [];
  expect(folder).not.toBe("");
  rmSync(folder, { recursive: true });
});

test("a key and an address that change in the configuration are used by the next request", async () => {
  const servers = [await startStrictServer(), await startStrictServer()];
  const configure = (server: StrictServer | undefined, key: string) =>
    place.write(PERSONAL, {
      default_model: "mine:m",
      providers: { mine: { api: "openai-chat", base_url: `${server?.url}/v1`, api_key_env: "MINE_KEY" } },
      env: { MINE_KEY: key },
    });
  for (const server of servers) server.script(() => answer("My key is sk-second-0123456789."));
  configure(servers[0], "sk-first-0123456789");
  await onScreen(async (front, { session }) => {
    const hear = listening(front);
    front.send({ type: "open", session });
    front.send({ type: "say", text: "hello" });
    await hear("work-ended");
    configure(servers[1], "sk-second-0123456789");
    front.send({ type: "say", text: "hello" });
    await hear("work-ended", 2);
    place.write(PERSONAL, "{ half edited");
    front.send({ type: "say", text: "hello" });
    await hear("work-ended", 3);
    expect((await hear("note")).text).toContain("The configuration can't be read");
    await front.close();
    return 0;
  });
  const keys = servers.map(({ requests }) => requests.map(({ headers }) => headers.get("authorization")));
  const second = "Bearer sk-second-0123456789";
  expect(keys).toEqual([["Bearer sk-first-0123456789"], [second, second]]);
  // The new key is masked like the old one: the model said it before it was one, and afterwards.
  const sessions = new Bun.Glob("**/*.jsonl").scanSync(join(place.home, ".local/share/tunacode/sessions"));
  const written = [...sessions].map((name) =>
    readFileSync(join(place.home, ".local/share/tunacode/sessions", name), "utf8"),
  );
  expect(written.join("").split('"content":"My key is [key hidden]').length).toBe(3);
  for (const server of servers) await server.stop();
  rmSync(join(place.home, PERSONAL));
});

test("each request has its own id in the debug log", async () => {
  await onScreen(async (front, { session }) => {
    const hear = listening(front);
    front.send({ type: "open", session });
    front.send({ type: "say", text: "/debug" });
    const [, path = ""] = /The log is (\S+)/.exec((await hear("note")).text) ?? [];
    for (const nth of [1, 2]) {
      front.send({ type: "say", text: "hello" });
      await hear("prompt-sent", nth);
      front.send({ type: "stop" });
      await hear("work-ended", nth);
    }
    await front.close();
    const lines = readFileSync(path, "utf8").trim().split("\n");
    const written: { request_id?: string; event?: { type: string; request_id?: string } }[] = lines.map(
      (line) => JSON.parse(line),
    );
    const started = written.filter(({ event }) => event?.type === "request-start");
    expect(started.length).toBe(2);
    for (const { request_id, event } of started) expect(event?.request_id).toBe(request_id ?? "none");
    expect(new Set(started.map(({ request_id }) => request_id)).size).toBe(2);
    return 0;
  });
});
