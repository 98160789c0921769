// The complete agent in read-only mode, with the model that your environment provides.
// Run it: OPENAI_API_KEY=... bun examples/ask.mjs "what does this project do?"
import { openAgent, runRequest } from "tunacode";

const agent = await openAgent({
  cwd: process.cwd(),
  env: process.env,
  session: { type: "none" },
  permission: { mode: "read-only", rules: [], sandbox: "off" },
  trusted: false,
  notify: (text) => console.error(text),
});

try {
  const { manager } = agent;
  const prompt = process.argv[2] ?? "What does this project do?";
  for await (const event of runRequest(prompt, manager.session.currentModel, manager)) {
    if (event.type === "text-delta") process.stdout.write(event.text);
    if (event.type === "tool-start") console.error(`[${event.toolName} ${JSON.stringify(event.args)}]`);
    if (event.type === "request-end") console.log(`\n(${event.outcome.type})`);
  }
} finally {
  await agent.close();
}
