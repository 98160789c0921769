// Prints what the heap holds, in MB, after a command in a project whose files are followed, or are not.
import { heapStats } from "bun:jsc";
import { openUndoProject } from "../../test/support/undo-agent.ts";

const [base = "", followed = ""] = process.argv.slice(2);
const project = await openUndoProject(base, { undo: { enabled: followed === "followed" } });
await project.run("touch touched", "touch touched");
Bun.gc(true);
Bun.gc(true);
// Memory outside the objects themselves, as that of typed arrays, is counted in.
console.log((heapStats().heapSize / 1e6).toFixed(2));
await project.close();
