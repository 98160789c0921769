// Who answers a question in the mode auto: a model that reads the call and what the person wrote in this session, and
// nothing that came out of a file or a tool. Whatever goes wrong, the person is asked.
import { untilAbort } from "../base/abort.ts";
import { headAndTail } from "../base/head-and-tail.ts";
import { isJsonObject, parseJson } from "../base/json.ts";
import { signalWithDeadline } from "../base/linked-signal.ts";
import { stripTerminalControls } from "../base/terminal-text.ts";
import { typedText } from "../domain/content.ts";
import { errorMessage } from "../domain/error.ts";
import type { ModelName } from "../domain/ids.ts";
import type { Message } from "../domain/message.ts";
import type { Model, ModelRequest } from "../domain/model.ts";
import type { TellReview } from "../domain/permission.ts";
import type { Review } from "../domain/review.ts";
import type { UsageTotals } from "../domain/usage.ts";
import { isPersonsPrompt } from "../history/trailing-request.ts";
import { meteredCall } from "../loop/metered-call.ts";
import type { Reviewer } from "../permission/review.ts";
import type { SessionState } from "../session/state.ts";
import type { AgentPorts } from "./agent.ts";
import instructions from "./reviewer.md" with { type: "text" };

type Answer = Pick<Review, "verdict" | "reason">;

const DEADLINE_MS = 20_000;
/** About 4,000 tokens of the person's words; the newest come first. */
const MOST_WORDS = 16_000;
/** A call that is longer can't be shown whole, and what isn't seen can't be allowed. */
const LONGEST_CALL = 16_000;
/** Enough for a model that thinks before it answers. */
const MOST_OUTPUT = 4_000;
const LONGEST_REASON = 300;
const LONGEST_SHOWN = 1_000;
const MOST_KNOWN = 100;

export function createReviewer(session: SessionState, agent: () => AgentPorts): Reviewer {
  const known = new Map<string, Answer>();
  return async ({ toolCallId, toolName, shown, facts }, signal, tell) => {
    const ports = agent();
    const visible = ports.mask(withoutHidden(shown.trim()));
    const call = visible.length > LONGEST_SHOWN ? `${visible.slice(0, LONGEST_SHOWN)}…` : visible;
    tell({ type: "review-start", toolCallId, toolName, call });
    const about = asData(facts);
    const content = ports.mask(messageOf(personsWords(session), about));
    const name = ports.smallModel ?? session.runtime.standIn?.name ?? session.currentModel;
    const answer =
      about.length > LONGEST_CALL
        ? ask("it is too long to be reviewed")
        : (known.get(content) ?? (await reviewed(content, name, ports, signal, tell, known)));
    const reason = ports.mask(oneLine(answer.reason));
    const review = { toolCallId, toolName, call, verdict: answer.verdict, reason, model: name };
    tell({ type: "review", review });
    return answer.verdict;
  };
}

/** `known`: what was answered before. Nobody gets another answer by asking the same again. */
async function reviewed(
  content: string,
  name: ModelName,
  ports: AgentPorts,
  signal: AbortSignal,
  tell: TellReview,
  known: Map<string, Answer>,
): Promise<Answer> {
  const { clock, budget } = ports;
  const deadline = signalWithDeadline(signal, DEADLINE_MS, clock);
  const spent: UsageTotals[] = [];
  try {
    const model = await untilAbort(ports.createModel(name), deadline.signal);
    const answer = readAnswer(await answerOf(model, content, { signal: deadline.signal, budget, spent }));
    if (known.size >= MOST_KNOWN) known.clear();
    if (answer !== null) known.set(content, answer);
    return answer ?? ask("the reviewing model's answer could not be read");
  } catch (error) {
    if (signal.aborted) throw error;
    if (deadline.expired()) return ask(`the reviewing model did not answer within ${DEADLINE_MS / 1000} s`);
    return ask(`the reviewing model could not be asked: ${errorMessage(error)}`);
  } finally {
    deadline.release();
    for (const call of spent) tell({ type: "usage", call, byTool: true });
  }
}

function ask(reason: string): Answer {
  return { verdict: "ask", reason };
}

/** Null: it is not a whole answer in words. */
async function answerOf(
  model: Model,
  content: string,
  ports: Parameters<typeof meteredCall>[2],
): Promise<string | null> {
  const request: ModelRequest = {
    system: instructions,
    messages: [{ kind: "request", parts: [{ kind: "user-prompt", content }] }],
    tools: [],
    maxOutputTokens: Math.min(MOST_OUTPUT, model.maxOutput ?? MOST_OUTPUT),
  };
  let text = "";
  let isWhole = false;
  for await (const event of meteredCall(request, model, ports)) {
    if (event.type === "finish") isWhole = event.reason === "stop";
    if (event.type !== "part") continue;
    if (event.part.kind === "text") text += event.part.content;
    else if (event.part.kind !== "thinking") return null;
  }
  return isWhole ? text : null;
}

/** One JSON object with these two keys, each once, and nothing around it. Anything else was not meant as an answer. */
export function readAnswer(text: string | null): Answer | null {
  const written = /^\s*(?:```(?:json)?\n)?(\{.*\})(?:\n```)?\s*$/s.exec(text ?? "")?.[1] ?? "";
  // Parsing alone would take the last of two verdicts.
  const shape = written.replace(/"(?:[^"\\]|\\.)*"/gs, "text").replace(/\s/g, "");
  const parsed = parseJson(written);
  if (shape !== "{text:text,text:text}" || !parsed.ok || !isJsonObject(parsed.value)) return null;
  const { verdict, reason } = parsed.value;
  if ((verdict !== "allow" && verdict !== "ask") || typeof reason !== "string") return null;
  return { verdict, reason };
}

/** What the person typed, newest first: no files, no output of commands, no summaries, nothing that a model wrote. */
function personsWords({ conversation }: SessionState): readonly string[] {
  const words: string[] = [];
  let left = MOST_WORDS;
  for (const prompt of conversation.messages.flatMap(promptsOf).reverse()) {
    if (words.length > 0 && prompt.length > left) break;
    words.push(prompt.length > left ? headAndTail(prompt, left, "[...]") : prompt);
    left -= prompt.length;
  }
  return words;
}

function promptsOf(message: Message): readonly string[] {
  if (message.kind === "response") return [];
  return message.parts.filter(isPersonsPrompt).map(({ content }) => typedText(content));
}

function messageOf(words: readonly string[], call: string): string {
  return `<messages>\n${asData(words)}\n</messages>\n<call>\n${call}\n</call>`;
}

/** No text in it can look like the end of the data, or hold what can't be seen. */
function asData(value: object): string {
  return withoutHidden(JSON.stringify(value).replace(/[<>]/g, escaped));
}

/** What is neither a printable ASCII character nor a letter or a number that can be seen. */
const HIDDEN = /(?![ -~])(?:\p{Default_Ignorable_Code_Point}|[^\p{L}\p{N}])/gu;

function withoutHidden(text: string): string {
  return text.replace(HIDDEN, escaped);
}

function escaped(character: string): string {
  if (character === "\n") return "\\n";
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

function oneLine(text: string): string {
  const line = stripTerminalControls(text).replace(/\s+/g, " ").trim();
  return line.length > LONGEST_REASON ? `${line.slice(0, LONGEST_REASON)}…` : line;
}
