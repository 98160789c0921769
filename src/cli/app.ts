// `tunacode` starts the terminal app, or acts like `run` if there is no terminal. The screen is passed in, because this
// room doesn't know how to draw.
import type { ModelSources, SessionChoice } from "../app/settings.ts";
import { saveConfig } from "../config/save.ts";
import type { Front } from "../front/contract.ts";
import { Desk } from "../front/desk.ts";
import type { DebugSwitch } from "../front/ports.ts";
import { createProjectPorts } from "../front/project-ports.ts";
import { agentSettings, modelPreferences } from "./agent-settings.ts";
import type { CliCommand } from "./command-line.ts";
import type { Console } from "./console.ts";
import { type DebugLog, openDebugLog } from "./debug-log.ts";
import { machineReport } from "./doctor.ts";
import { givenFiles } from "./given-files.ts";
import type { Invocation } from "./parse-flags.ts";
import { type ConfiguredPlace, configuredPlace } from "./place.ts";

interface ScreenOptions {
  readonly session: SessionChoice;
  readonly prompt?: string;
  readonly theme?: string;
  readonly keys?: Readonly<Record<string, readonly string[]>>;
  readonly notifications?: "auto" | "bell" | "off";
  readonly plain?: boolean;
  readonly saveTheme: (name: string) => Promise<void>;
  readonly env: NodeJS.ProcessEnv;
}

export type Screen = (front: Front, options: ScreenOptions) => Promise<number>;

export function withScreen(loadScreen: () => Promise<Screen>): CliCommand {
  return async (invocation, console) => {
    if (!console.isInteractive) return (await import("./run.ts")).run(invocation, console);
    const session = (inside: Invocation) => onScreen(inside, console, loadScreen);
    if (invocation.flags.worktree === undefined) return session(invocation);
    return (await import("./worktree-app.ts")).inWorktree(invocation, console, session);
  };
}

async function onScreen(
  invocation: Invocation,
  console: Console,
  loadScreen: () => Promise<Screen>,
): Promise<number> {
  const { flags, operands } = invocation;
  const place = await configuredPlace(console, flags.cwd);
  const files = await givenFiles(flags.file, console, place);
  const screen = await loadScreen();
  const debug = debugSwitch(place, flags.debug === true);
  const settings = agentSettings(flags, place, () => {});
  const ports = createProjectPorts({
    settings: { ...settings, log: debug.message, reload: () => modelSources(invocation, console) },
    env: place.env,
    warnings: place.loaded.warnings,
    doctor: () => machineReport(flags, console),
    debug,
  });
  const lastWords: string[] = [];
  const code = await screen(new Desk(ports, { onLastWords: (text) => void lastWords.push(text), files }), {
    session: settings.session,
    ...(operands.length > 0 && { prompt: operands.join(" ") }),
    ...place.loaded.config.terminal,
    ...(flags.plain === true && { plain: true }),
    saveTheme: async (name) => void (await saveConfig(console.env, { settings: { theme: name } })),
    env: console.env,
  });
  for (const text of lastWords) console.tell(`tunacode: ${text}`);
  return code;
}

/** `tunacode setup` in another window, or an editor, may have changed the configuration. */
async function modelSources({ flags }: Invocation, console: Console): Promise<ModelSources> {
  const { variables, loaded } = await configuredPlace(console, flags.cwd);
  return { env: variables, models: modelPreferences(flags, loaded.config) };
}

function debugSwitch(place: ConfiguredPlace, on: boolean): DebugSwitch & Pick<DebugLog, "message"> {
  let told = "";
  const open = () =>
    openDebugLog(place, (text) => {
      told = text;
    });
  let log = on ? open() : undefined;
  return {
    begin: (requestId) => log?.begin(requestId),
    event: (event) => log?.event(event),
    message: (message, details) => log?.message(message, details),
    set: (wanted) => {
      log = wanted ? open() : undefined;
      return wanted ? told : "The log is off.";
    },
  };
}
