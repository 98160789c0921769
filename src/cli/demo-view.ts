// Draws the demo: what the model says, each call with an excerpt of its result, and pauses so that a person can follow.
import { stripTerminalControls } from "../base/terminal-text.ts";
import { contentText } from "../domain/content.ts";
import type { AgentEvent } from "../domain/event.ts";
import { visibleText } from "../domain/message.ts";

interface DemoViewOptions {
  readonly print: (text: string) => Promise<void>;
  readonly hasColours: boolean;
  readonly width: number;
  /** Returns at once if nobody watches. */
  readonly pause: (ms: number) => Promise<void>;
}

export interface DemoView {
  readonly show: (event: AgentEvent) => Promise<void>;
  readonly line: (text?: string, style?: Style) => Promise<void>;
}

type Style = keyof typeof STYLES;

const STYLES = { plain: "", bold: "1", dim: "2", red: "31", green: "32", cyan: "36" } as const;
const WORD_MS = 25;
const CALL_MS = 240;
const MOST_LINES = 12;

export function createDemoView({ print, hasColours, width, pause }: DemoViewOptions): DemoView {
  const paint = (text: string, style: Style) =>
    hasColours && style !== "plain" ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text;
  const line = (text = "", style: Style = "plain") => print(`${paint(printable(text), style)}\n`);

  const say = async (text: string) => {
    let column = 0;
    for (const word of text.split(/\s+/)) {
      const fits = column + word.length < width;
      await print(column === 0 ? `\n${word}` : fits ? ` ${word}` : `\n${word}`);
      column = (column > 0 && fits ? column + 1 : 0) + word.length;
      await pause(WORD_MS);
    }
    await print("\n");
  };

  const showCall = async (call: ToolEnd) => {
    await pause(CALL_MS);
    const subject = Object.values(call.args).find((value) => typeof value === "string") ?? ".";
    const mark = paint("●", call.status === "completed" ? "green" : "red");
    const { remark, lines } = excerpt(call);
    await print(`  ${mark} ${paint(call.toolName, "bold")} ${printable(subject)}${paint(remark, "dim")}\n`);
    for (const { text, style } of lines.slice(0, MOST_LINES)) await line(`    ${text}`, style);
    await pause(CALL_MS);
  };

  return {
    line,
    show: async (event) => {
      if (event.type === "message-end" && event.message.kind === "response")
        await say(printable(visibleText(event.message)));
      if (event.type === "tool-end") await showCall(event);
      if (event.type === "notice") await line(event.text, "dim");
      if (event.type === "request-end" && event.outcome.type === "failed")
        await line(event.outcome.message, "red");
    },
  };
}

type ToolEnd = Extract<AgentEvent, { type: "tool-end" }>;

interface Excerpt {
  /** Shown beside the call. */
  readonly remark: string;
  /** Shown below it. */
  readonly lines: readonly { readonly text: string; readonly style: Style }[];
}

function excerpt({ result }: ToolEnd): Excerpt {
  const { details } = result;
  switch (details?.type) {
    case "edit": {
      const changed = details.diff.split("\n").filter((text) => /^[-+]/.test(text));
      const style = (text: string) => (text.startsWith("+") ? "green" : "red");
      return { remark: "", lines: changed.map((text) => ({ text, style: style(text) })) };
    }
    case "command":
      return { remark: `  exit code ${details.exitCode ?? "unknown"}`, lines: dimLines(details.output) };
    case "count":
      if (details.of === "line") return { remark: `  ${details.count} lines`, lines: [] };
      break;
    default:
  }
  return { remark: "", lines: dimLines(contentText(result.content)) };
}

function dimLines(text: string): Excerpt["lines"] {
  return text.split("\n").map((line) => ({ text: line, style: "dim" }));
}

function printable(text: string): string {
  return stripTerminalControls(text).replaceAll("\n", " ");
}
