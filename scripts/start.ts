// Builds if the sources are newer than the binary, then replaces this process with the binary, so that no process in
// between has to forward signals, the terminal or the exit code.
import { BINARY, buildIfStale } from "./build.ts";

await buildIfStale();
if (process.execve === undefined)
  throw new Error(`This platform can't replace a process. Run ${BINARY} directly.`);
process.execve(BINARY, [BINARY, ...process.argv.slice(2)], process.env);
