// `tunacode demo` runs the scripted tour on the sample project. It needs no key and no network, and never asks.
import type { Demo } from "../app/demo.ts";
import { systemClock } from "../base/clock.ts";
import { TunacodeError } from "../domain/error.ts";
import type { Outcome } from "../domain/event.ts";
import type { Console } from "./console.ts";
import { createDemoView, type DemoView } from "./demo-view.ts";
import { EXIT_ABORTED, EXIT_DONE } from "./exit-code.ts";
import type { Invocation } from "./parse-flags.ts";
import { stoppable } from "./signals.ts";

const WIDEST = 84;
const SHOWN_ID_LENGTH = 8;
const EXIT_TESTS_FAIL = 1;

/** Exits with 0 only if the sample project's tests really pass at the end. */
export async function runDemo({ operands }: Invocation, console: Console): Promise<number> {
  if (operands.length > 0)
    throw new TunacodeError("usage", "demo takes no arguments.\nTry: tunacode help demo");
  return stoppable(
    (controller) => tour(console, controller),
    () => {},
  );
}

async function tour(console: Console, controller: AbortController): Promise<number> {
  const view = openView(console, controller.signal);
  const { openDemo } = await import("../app/demo.ts");
  const demo = await openDemo(console.env, console.tell);
  let end: End;
  try {
    await introduce(demo, view);
    end = await follow(demo, view, controller);
  } finally {
    await demo.agent.close();
  }
  if (end.outcome === "aborted") return EXIT_ABORTED;
  const passed = end.outcome === "completed" && (await demo.testsPass());
  await conclude(demo, view, passed, end.calls);
  return passed ? EXIT_DONE : EXIT_TESTS_FAIL;
}

function openView(console: Console, signal: AbortSignal): DemoView {
  const { printsToTerminal: isWatched, env } = console;
  return createDemoView({
    print: (text) => console.print(text, "coloured"),
    hasColours: isWatched && (env["TERM"] ?? "dumb") !== "dumb" && !env["NO_COLOR"],
    width: Math.min(console.columns(), WIDEST),
    // An abort ends the pause; the same signal stops the request.
    pause: async (ms) => (isWatched ? systemClock.sleep(ms, signal).catch(() => {}) : undefined),
  });
}

interface End {
  readonly outcome: Outcome["type"];
  readonly calls: number;
}

/** Follows the request to its own end even when the reader is gone, so that the session is complete. */
async function follow(demo: Demo, view: DemoView, controller: AbortController): Promise<End> {
  const events = demo.events(controller);
  let calls = 0;
  let unshown: unknown;
  while (true) {
    const next = await events.next();
    if (next.done) {
      if (unshown !== undefined) throw unshown;
      return { outcome: next.value.type, calls };
    }
    if (next.value.type === "tool-end") calls++;
    if (unshown !== undefined) continue;
    await view.show(next.value).catch((error: unknown) => {
      unshown = error;
      controller.abort(error);
    });
  }
}

async function introduce({ folder, prompt, mayRun, mayChange }: Demo, view: DemoView): Promise<void> {
  await view.line("tunacode demo: a tour with a scripted model. No key, no network.", "bold");
  await view.line(`In ${folder} it may run ${mayRun} and change ${mayChange}, nothing else.`, "dim");
  await view.line();
  await view.line(`> ${prompt}`, "cyan");
}

async function conclude({ agent }: Demo, view: DemoView, passed: boolean, calls: number): Promise<void> {
  const { writer, state } = agent.session;
  await view.line();
  if (passed) await view.line(`✓ The sample's tests pass after ${calls} tool calls.`, "green");
  else await view.line(`✗ The sample's tests don't pass. Please report it.`, "red");
  if (writer?.status.type === "saved") {
    const id = state.sessionId.slice(0, SHOWN_ID_LENGTH);
    await view.line(`  Every step is on disk: tunacode sessions show ${id}`);
  }
  await view.line();
  await view.line("Now try it in your own project, with a key in the environment or Ollama running:");
  await view.line('  tunacode "what does this project do?"', "bold");
  await view.line("  tunacode setup    chooses a provider, a model and a key", "dim");
}
