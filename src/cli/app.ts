// `tunacode`: the terminal app; without a terminal it is `run`. The screen is handed in, so that this room knows
// nothing of how it draws.
import type { Person, SessionChoice } from "../app/settings.ts";
import { openTerminalAgent } from "../app/terminal-agent.ts";
import { createTerminalPorts } from "../app/terminal-ports.ts";
import { expandCommand, loadCustomCommands, untrustedCommand } from "../config/custom-commands.ts";
import { saveConfig } from "../config/save.ts";
import type { AgentEvent } from "../domain/event.ts";
import { type ModelName, newRequestId } from "../domain/ids.ts";
import { agentSettings } from "./agent-settings.ts";
import type { CliCommand } from "./command-line.ts";
import type { Console } from "./console.ts";
import { type DebugLog, openDebugLog } from "./debug-log.ts";
import { machineReport } from "./doctor.ts";
import type { Invocation } from "./parse-flags.ts";
import { type ConfiguredPlace, configuredPlace } from "./place.ts";
import { run } from "./run.ts";

/** What the screen calls the person: the same questions under its own names. */
interface PersonAtScreen {
  readonly ask: Person["askPermission"];
  readonly askToGoOn: Person["askToGoOn"];
  readonly presentPlan: Person["askAboutPlan"];
}

type ScreenSession = Exclude<SessionChoice, { type: "none" }> & { readonly model?: ModelName };

export type ScreenPorts = ReturnType<typeof screenPorts>;

export interface ScreenOptions {
  readonly session: ScreenSession;
  readonly prompt?: string;
  readonly theme?: string;
  readonly keys?: Readonly<Record<string, readonly string[]>>;
  readonly notifications?: "auto" | "bell" | "off";
  readonly plain?: boolean;
  readonly env: NodeJS.ProcessEnv;
}

export type Screen = (ports: ScreenPorts, options: ScreenOptions) => Promise<number>;

export function withScreen(loadScreen: () => Promise<Screen>): CliCommand {
  return {
    run: async (invocation, console) => {
      if (!console.isInteractive) return run(invocation, console);
      const { flags, operands } = invocation;
      const place = await configuredPlace(console, flags.cwd);
      const { theme, keys, notifications } = place.loaded.config;
      const screen = await loadScreen();
      const lastWords: string[] = [];
      const code = await screen(screenPorts(invocation, console, place, lastWords), {
        session: sessionOf(invocation, place),
        ...(operands.length > 0 && { prompt: operands.join(" ") }),
        ...(theme !== undefined && { theme }),
        ...(keys !== undefined && { keys }),
        ...(notifications !== undefined && { notifications }),
        ...(flags.plain === true && { plain: true }),
        env: console.env,
      });
      for (const text of lastWords) console.tell(`tunacode: ${text}`);
      return code;
    },
  };
}

function sessionOf({ flags }: Invocation, place: ConfiguredPlace): ScreenSession {
  const { session } = agentSettings(flags, place, () => {});
  return session.type === "none" ? { type: "new" } : session;
}

function screenPorts({ flags }: Invocation, console: Console, place: ConfiguredPlace, lastWords: string[]) {
  const settings = agentSettings(flags, place, () => {});
  const ports = createTerminalPorts(settings);
  const { trusted } = place.loaded.config;
  /** Told with the first session. */
  const warnings = [...place.loaded.warnings];
  return {
    ...ports,
    openAgent: async (choice: ScreenSession, person: PersonAtScreen) => {
      const { model, ...session } = choice;
      const debug = debugSwitch(place, flags.debug === true);
      const agent = await openTerminalAgent({
        ...settings,
        ...(model !== undefined && { model }),
        session: settings.session.type === "none" && session.type === "new" ? settings.session : session,
        person: { askPermission: person.ask, askToGoOn: person.askToGoOn, askAboutPlan: person.presentPlan },
        log: debug.message,
      });
      return {
        ...agent,
        session: { ...agent.session, notices: [...warnings.splice(0), ...agent.session.notices] },
        run: debug.follow(agent.run),
        setDebug: debug.set,
        close: async () => void lastWords.push(...(await agent.close())),
      };
    },
    customCommands: async () => {
      const { commands, withheld } = await loadCustomCommands(place, trusted);
      const usable = commands.map((command) => ({
        name: command.name,
        description: command.description,
        expand: (words: string) => expandCommand(command, words),
      }));
      const refused = withheld
        .filter(({ name }) => !commands.some((command) => command.name === name))
        .map(({ name }) => ({
          name,
          description: "of this project, which isn't trusted",
          expand: refuse(name),
        }));
      return [...usable, ...refused];
    },
    saveSetting: async (name: "theme" | "default_model" | "notifications", value: string) => {
      await saveConfig(
        console.env,
        name === "default_model" ? { [name]: value } : { settings: { [name]: value } },
      );
    },
    doctor: () => machineReport(flags, console),
  };
}

function refuse(name: string): () => never {
  return () => {
    throw untrustedCommand(name);
  };
}

/** --debug and /debug: a log of every request from when it is switched on. */
function debugSwitch(place: ConfiguredPlace, on: boolean) {
  const told: string[] = [];
  const open = () => openDebugLog(place, newRequestId(), (text) => void told.push(text));
  let log: DebugLog | undefined = on ? open() : undefined;
  return {
    message: (message: string, details?: unknown) => log?.message(message, details),
    set: async (wanted: boolean) => {
      log = wanted ? open() : undefined;
      return wanted ? (told.at(-1) ?? "") : "The log is off.";
    },
    follow: <Arguments extends unknown[], Result>(
      run: (...given: Arguments) => AsyncGenerator<AgentEvent, Result>,
    ) =>
      async function* (...given: Arguments): AsyncGenerator<AgentEvent, Result> {
        const events = run(...given);
        try {
          for (let next = await events.next(); ; next = await events.next()) {
            if (next.done) return next.value;
            log?.event(next.value);
            yield next.value;
          }
        } finally {
          await events.return(undefined as Result);
        }
      },
  };
}
