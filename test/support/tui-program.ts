// The terminal app as a program of its own, with a scripted model: what the tests in a real terminal run.
// `bun tui-program.ts [HISTORY_LENGTH]`

import { readFileSync } from "node:fs";
import { memoryStateManager } from "../../src/app/agent.ts";
import type { Message } from "../../src/domain/message.ts";
import type { PermissionMode } from "../../src/domain/permission.ts";
import { Desk } from "../../src/front/desk.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { addMessage } from "../../src/session/reduce.ts";
import { runTerminalApp } from "../../src/tui/app.ts";
import { offering, questionAbout } from "./permission-question.ts";
import { tool } from "./scenario.ts";
import { sessionAgent } from "./session-agent.ts";
import { SILENT_PORTS } from "./silent-ports.ts";

const history: Message[] = Array.from({ length: Number(process.argv[2] ?? 0) }, (_, index) =>
  index % 2 === 0
    ? { kind: "request", parts: [{ kind: "user-prompt", content: `question ${index}` }] }
    : {
        kind: "response",
        parts: [{ kind: "text", content: `answer **${index}** with \`code\`\n\n- one\n- two` }],
      },
);

const model = scriptedModel({
  name: "demo:script",
  contextWindow: 200_000,
  price: { input: 3, output: 15, cacheRead: 0.3 },
  turns: (request) => {
    const last = request.messages.at(-1);
    const prompt = last?.parts.findLast((part) => part.kind === "user-prompt");
    const text = prompt?.kind === "user-prompt" && typeof prompt.content === "string" ? prompt.content : "";
    if (last?.parts.some((part) => part.kind === "tool-return"))
      return [{ text: `The tool is done. You said: ${text || "nothing more"}.` }];
    if (text.startsWith("run "))
      return [{ text: "Running it.\n" }, { call: "bash", args: { command: text.slice(4) } }];
    if (text === "crash") {
      setTimeout(() => {
        throw new Error("a bug");
      }, 50);
    }
    if (text.startsWith("count")) return [{ text: `prompt of ${text.split("\n").length} lines` }];
    if (text.startsWith("slow"))
      return Array.from({ length: 200 }, (_, index) => [
        { text: `line ${index}\n\n` },
        { delayMs: 30 },
      ]).flat();
    return [{ text: `You said: ${text}` }];
  },
});

let mode: PermissionMode = "ask";

process.exitCode = await runTerminalApp(
  new Desk({
    ...SILENT_PORTS,
    openAgent: async (_choice, person) => {
      if (process.env["TUI_REFUSES"] !== undefined) throw new Error("There is no such session.");
      const manager = memoryStateManager({
        createModel: async () => model,
        tools: [
          tool("bash", "write", async ({ command }, { progress, signal }) => {
            progress(`running ${command}\n`);
            if (command === "hang")
              await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
            return `ran ${command}`;
          }),
        ],
        permit: async ({ toolName, args }, _tool, signal) => {
          const decision = { decision: "ask", reason: "the test wants it" } as const;
          const answer = await person.askPermission(
            questionAbout({ toolName, args, decision, offers: offering("bash(ls)") }),
            signal,
          );
          if (answer.type === "stop") return { type: "stop" };
          return answer.type === "deny" ? { type: "deny", reason: answer.words ?? "no" } : { type: "allow" };
        },
      });
      for (const message of history) addMessage(manager.session, message);
      return sessionAgent({
        manager,
        session: { id: "0123-4567", resumed: history.length > 0, notices: [] },
        model: () => ({ name: model.name, contextWindow: 200_000 }),
        switchModel: async () => {},
        setThinking: async () => {},
        permissionMode: () => mode,
        setPermissionMode: (next) => {
          mode = next;
        },
        compact: async function* () {},
        rename: async () => {},
        close: async () => {},
      });
    },
    folder: "~/project",
    listModels: async () => [{ name: "demo:script" }, { name: "demo:other" }],
    fileIndex: async () => ["README.md", "src/main.ts"],
    readAttachment: async (path) => ({ type: "text", text: readFileSync(path, "utf8") }),
    runShell: async (command) => ({ output: `output of ${command}`, exitCode: 0 }),
    gitBranch: async () => "main",
    promptHistory: async () => ["an earlier prompt"],
  }),
  {
    session: { type: "new" },
    ...(process.env["TUI_THEME"] === undefined ? {} : { theme: process.env["TUI_THEME"] }),
  },
);
