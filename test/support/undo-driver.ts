// A program that resumes a session and goes back in it, for tests that kill it: at a named step, or after some time.
//
//   bun undo-driver.ts HOME SESSION POINT     POINT: restoring, restored, written, or a number of milliseconds
import { openUndo } from "../../src/app/open-undo.ts";
import { openScripted, undoProjectIn } from "./undo-project.ts";

const [home = "", id = "", point = ""] = process.argv.slice(2);
const { agent } = await openScripted(undoProjectIn(home), { type: "resume", id });
const { writer } = agent.session;
if (writer === null) throw new Error("The session is not saved.");
const die = () => process.kill(process.pid, "SIGKILL");
const [restoring, record] = [writer.restoring.bind(writer), writer.record.bind(writer)];
Object.assign(writer, {
  restoring: async (...given: Parameters<typeof restoring>) => {
    await restoring(...given);
    if (point === "restoring") die();
  },
  record: async (...[event]: Parameters<typeof record>) => {
    if (event.type === "restored" && point === "restored") die();
    await record(event);
    if (event.type === "restored" && point === "written") die();
  },
});
// Another thread, because nothing that is under way here may delay it.
if (/^\d+/.test(point))
  new Worker(
    URL.createObjectURL(
      new Blob([`setTimeout(() => process.kill(${process.pid}, "SIGKILL"), ${Number(point)})`]),
    ),
  );
await openUndo(agent).goBack({ target: { type: "prompt", number: 1 }, scope: "both" });
await agent.close();
