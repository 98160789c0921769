// A program to kill while it uses a language server as tunacode does. It checks a file, says so, and waits.
// Arguments: the project's folder, the folder of the server, the file.
import { spawn } from "node:child_process";
import { createDiagnostics, diagnosticsPorts } from "../../src/tools/lsp/diagnostics.ts";

const [root = "", bin = "", file = ""] = process.argv.slice(2);
const workspace = { root, cwd: () => root, setCwd: () => {} };
const environment = { ...process.env, PATH: `${bin}:${process.env["PATH"]}` };
// A child that outlives us must not keep the server's pipe open.
const survivor = spawn("sleep", ["30"], { stdio: "ignore", detached: true });
survivor.unref();
const diagnostics = createDiagnostics(workspace, { ...diagnosticsPorts(environment), waitMs: 20_000 });
const found = await diagnostics.check(file, new AbortController().signal);
console.log(JSON.stringify({ found, survivor: survivor.pid }));
setInterval(() => {}, 1_000);
