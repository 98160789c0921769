// A language server for tests. It reports every line that contains ERROR or WARNING, and misbehaves on request.
// Words in the text: SILENT (never answers), SLOW (answers after 10 s), CRASH (exits), TWICE (empty first, then all).
// Environment: FAKE_LOG (a file that gets a line per message, the process id first), FAKE_START_MS, FAKE_START=fail.
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";

interface Document {
  readonly uri: string;
  readonly version: number;
}

const connection = createMessageConnection(
  new StreamMessageReader(process.stdin),
  new StreamMessageWriter(process.stdout),
);

log(`pid ${process.pid}`);
if (process.env["FAKE_START"] === "fail") process.exit(1);

connection.onRequest("initialize", async () => {
  await sleep(Number(process.env["FAKE_START_MS"] ?? 0));
  const configuration = await connection.sendRequest("workspace/configuration", { items: [{}, {}] });
  log(`configuration ${JSON.stringify(configuration)}`);
  return { capabilities: { textDocumentSync: 1 } };
});
connection.onRequest("shutdown", () => {
  log("shutdown");
  return null;
});
connection.onNotification("exit", () => process.exit(0));
connection.onNotification(
  "textDocument/didOpen",
  ({ textDocument }: { textDocument: Document & { text: string } }) => {
    log("didOpen");
    return publish(textDocument, textDocument.text);
  },
);
connection.onNotification(
  "textDocument/didChange",
  ({ textDocument, contentChanges }: { textDocument: Document; contentChanges: { text: string }[] }) => {
    log("didChange");
    return publish(textDocument, contentChanges[0]?.text ?? "");
  },
);
connection.listen();
// Every language server has to exit at the end of its input.
process.stdin.once("end", () => process.exit(0));

async function publish({ uri, version }: Document, text: string): Promise<void> {
  if (text.includes("CRASH")) process.exit(1);
  if (text.includes("SILENT")) return;
  if (text.includes("SLOW")) await sleep(10_000);
  if (text.includes("TWICE")) await send([]);
  await send(
    text.split("\n").flatMap((line, index) => {
      const severity = line.includes("ERROR") ? 1 : line.includes("WARNING") ? 2 : null;
      const range = {
        start: { line: index, character: line.search(/\S/) },
        end: { line: index, character: 0 },
      };
      return severity === null
        ? []
        : [{ range, severity, message: `about ${line.trim()}`, source: "fake", code: 7 }];
    }),
  );

  async function send(diagnostics: readonly object[]): Promise<void> {
    await sleep(20);
    await connection.sendNotification("textDocument/publishDiagnostics", { uri, version, diagnostics });
  }
}

function log(line: string): void {
  const file = process.env["FAKE_LOG"];
  if (file !== undefined) appendFileSync(file, `${line}\n`);
}
