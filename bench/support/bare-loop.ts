// The yardstick: an agent without anything that makes it one. Asks, prints what comes, reads the files it is told to read,
// asks again. Run as a script on Bun.
import { readFileSync } from "node:fs";

interface Delta {
  readonly content?: string;
  readonly tool_calls?: readonly { id: string; function: { arguments: string } }[];
}

const [baseUrl = "", model = ""] = process.argv.slice(2);
const messages: object[] = [{ role: "user", content: "Say hello." }];

while (true) {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer none" },
    body: JSON.stringify({ model, stream: true, messages }),
  });
  const { text, calls } = await readAnswer(response);
  messages.push({ role: "assistant", content: text, ...(calls.length > 0 && { tool_calls: calls }) });
  if (calls.length === 0) break;
  for (const call of calls) {
    const { filepath } = JSON.parse(call.function.arguments);
    messages.push({ role: "tool", tool_call_id: call.id, content: readFileSync(filepath, "utf8") });
  }
}

async function readAnswer(response: Response) {
  const decoder = new TextDecoder();
  const calls: NonNullable<Delta["tool_calls"]>[number][] = [];
  let text = "";
  let rest = "";
  for await (const bytes of response.body ?? []) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    let shown = "";
    for (const line of lines) {
      if (!line.startsWith("data: {")) continue;
      const delta: Delta = JSON.parse(line.slice("data: ".length)).choices[0]?.delta ?? {};
      shown += delta.content ?? "";
      calls.push(...(delta.tool_calls ?? []));
    }
    if (shown !== "") process.stdout.write(shown);
    text += shown;
  }
  return { text, calls };
}
