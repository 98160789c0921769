// The terminal app on a virtual terminal, with a scripted model and small tools: typed at and looked at like the
// real one.
import { type AgentPorts, memoryStateManager } from "../../src/app/agent.ts";
import type { Person } from "../../src/app/settings.ts";
import type { Message } from "../../src/domain/message.ts";
import type { ModelRequest } from "../../src/domain/model.ts";
import type { PermissionMode } from "../../src/domain/permission.ts";
import type { Tool } from "../../src/domain/tool.ts";
import type { FrontAgent } from "../../src/front/agent.ts";
import type { Front } from "../../src/front/contract.ts";
import { Desk } from "../../src/front/desk.ts";
import type { FrontPorts } from "../../src/front/ports.ts";
import { type Script, scriptedModel } from "../../src/models/scripted.ts";
import { addMessage, setTitle } from "../../src/session/reduce.ts";
import { runTerminalApp, type TerminalAppOptions } from "../../src/tui/app.ts";
import { ERASE_BELOW } from "../../src/tui/screen/line-update.ts";
import type { UndoScript } from "./fake-undo.ts";
import { sessionAgent } from "./session-agent.ts";
import { SILENT_PORTS } from "./silent-ports.ts";
import { VirtualTerminal } from "./virtual-terminal.ts";

export interface AppSetup {
  readonly turns?: Script["turns"];
  readonly tools?: readonly Tool[] | ((person: Person) => readonly Tool[]);
  readonly permit?: (person: Person) => AgentPorts["permit"];
  readonly agentPorts?: (person: Person) => Partial<AgentPorts>;
  readonly ports?: Partial<FrontPorts>;
  readonly agent?: Partial<FrontAgent>;
  readonly options?: Partial<TerminalAppOptions>;
  /** What lies between the desk and the screen. */
  readonly through?: (front: Front) => Front;
  readonly history?: readonly Message[];
  /** What each prompt changed on disk. */
  readonly undo?: UndoScript;
  /** What stands on the terminal already. */
  readonly before?: string;
  readonly columns?: number;
  readonly rows?: number;
  /** For measurements: nothing is shown. */
  readonly silent?: boolean;
  /** The theme is chosen by the terminal's background. */
  readonly autoTheme?: boolean;
}

export interface RunningApp {
  readonly terminal: VirtualTerminal;
  readonly requests: ModelRequest[];
  readonly messages: () => readonly Message[];
  readonly mode: () => PermissionMode;
  /** Characters, one key each. */
  readonly type: (text: string) => void;
  readonly press: (...keys: (keyof typeof KEYS)[]) => void;
  readonly paste: (text: string) => void;
  /** Waits until the screen shows it. */
  readonly see: (text: string) => Promise<string[]>;
  /** Waits until the screen shows it no more. */
  readonly lose: (text: string) => Promise<string[]>;
  /** Waits until it is drawn anew. */
  readonly resize: (columns: number, rows: number) => Promise<void>;
  /** Waits until a request is over and its last line is on the screen. */
  readonly over: () => Promise<string[]>;
  readonly until: (isSo: () => boolean | Promise<boolean>, withinMs?: number) => Promise<void>;
  readonly ended: Promise<number>;
  readonly leave: () => Promise<number>;
}

export const KEYS = {
  enter: "\r",
  escape: "\u001b",
  up: "\u001b[A",
  down: "\u001b[B",
  tab: "\t",
  shiftTab: "\u001b[Z",
  altEnter: "\u001b\r",
  altUp: "\u001b[1;3A",
  backspace: "\u007f",
  pageUp: "\u001b[5~",
  pageDown: "\u001b[6~",
  home: "\u001b[H",
  ctrlC: "\u0003",
  ctrlD: "\u0004",
  ctrlG: "\u0007",
  ctrlJ: "\n",
  ctrlL: "\u000c",
  ctrlO: "\u000f",
  ctrlR: "\u0012",
} as const;

/** Less than the test runner's own, so that the screen is in the report. */
const DEADLINE_MS = 4_500;
const LOOK_EVERY_MS = 10;

export function startApp(setup: AppSetup = {}): RunningApp {
  const terminal = new VirtualTerminal(setup.columns, setup.rows, setup.silent);
  if (setup.before !== undefined) terminal.write(setup.before);
  const requests: ModelRequest[] = [];
  const model = scriptedModel({
    name: "demo:script",
    contextWindow: 100_000,
    turns: setup.turns ?? [],
    onRequest: (request) => requests.push({ ...request, messages: [...request.messages] }),
  });
  let mode: PermissionMode = "ask";
  let messages: () => readonly Message[] = () => [];
  const openAgent: FrontPorts["openAgent"] = async (choice, person) => {
    const tools = typeof setup.tools === "function" ? setup.tools(person) : (setup.tools ?? []);
    const manager = memoryStateManager({
      createModel: async () => model,
      tools,
      ...(setup.permit === undefined ? {} : { permit: setup.permit(person) }),
      ...setup.agentPorts?.(person),
    });
    for (const message of setup.history ?? []) addMessage(manager.session, message);
    messages = () => manager.session.conversation.messages;
    const agent = sessionAgent({
      manager,
      ...(setup.undo === undefined ? {} : { undo: setup.undo }),
      session: { id: `session-${choice.type}`, resumed: setup.history !== undefined, notices: [] },
      model: () => ({ name: model.name, contextWindow: 100_000 }),
      switchModel: async () => {},
      setThinking: async () => {},
      permissionMode: () => mode,
      setPermissionMode: (next) => {
        mode = next;
      },
      compact: async function* () {},
      rename: async (title) => {
        setTitle(manager.session, title);
      },
      close: async () => {},
    });
    return { ...agent, ...setup.agent };
  };
  const desk = new Desk({ ...SILENT_PORTS, openAgent, ...setup.ports });
  const ended = runTerminalApp(setup.through?.(desk) ?? desk, {
    session: { type: "new" },
    env: { TERM: "xterm-256color", COLORTERM: "truecolor" },
    ...(setup.autoTheme ? {} : { theme: "tunacode" }),
    terminal,
    ...setup.options,
  });
  const until: RunningApp["until"] = (isSo, withinMs) => eventually(isSo, terminal, withinMs);
  const see = async (text: string) => {
    await until(async () => (await terminal.screen()).some((line) => line.includes(text)));
    return terminal.screen();
  };
  return {
    terminal,
    requests,
    messages: () => messages(),
    mode: () => mode,
    type: (text) => {
      for (const character of text) terminal.input(character);
    },
    press: (...keys) => {
      for (const key of keys) terminal.input(KEYS[key]);
    },
    paste: (text) => terminal.input(`\u001b[200~${text}\u001b[201~`),
    see,
    lose: async (text) => {
      await until(async () => !(await terminal.screen()).some((line) => line.includes(text)));
      return terminal.screen();
    },
    resize: async (columns, rows) => {
      // The emulator parses later than it resizes; a terminal does it in order.
      await terminal.settled();
      const before = terminal.written.length;
      terminal.resize(columns, rows);
      await until(() => terminal.written.slice(before).includes(ERASE_BELOW));
      await terminal.settled();
    },
    over: async () => {
      await until(async () =>
        (await terminal.screen()).some((line) => /^ {2}(?:.* · )?[\d.]+s(?: ·|$)/.test(line)),
      );
      return terminal.screen();
    },
    until,
    ended,
    leave: async () => {
      terminal.input(KEYS.ctrlC);
      terminal.input(KEYS.ctrlC);
      return ended;
    },
  };
}

async function eventually(
  isSo: () => boolean | Promise<boolean>,
  terminal: VirtualTerminal,
  withinMs = DEADLINE_MS,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) {
      const screen = (await terminal.screen()).join("\n");
      throw new Error(`It did not happen within ${withinMs} ms. The screen:\n${screen}`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
