// Builds if the sources are newer than the binary, then becomes the binary: its signals, terminal and exit code
// are the program's own, because there is no process left in between.
import { BINARY, buildIfStale } from "./build.ts";

await buildIfStale();
if (process.execve === undefined)
  throw new Error(`This platform can't replace a process. Run ${BINARY} itself.`);
process.execve(BINARY, [BINARY, ...process.argv.slice(2)], process.env);
