// A session that a newer tunacode has written to: listed, but neither read nor written, and said to be so.
import { expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RECORD_FORMAT } from "../../src/session/line.ts";
import { createSession } from "../../src/session/open.ts";
import { projectIdOf } from "../../src/session/project.ts";
import { runCommand } from "../support/command.ts";
import { withFolder } from "../support/driven-session.ts";
import { inFormat } from "../support/record-format.ts";
import { playTurn } from "../support/scripted-session.ts";

test("run -c and sessions show refuse it with what to do; sessions still lists it, and searches the others", async () => {
  await withFolder(async (home) => {
    const folder = join(home, "tunacode", "sessions");
    const session = createSession({
      folder,
      projectId: projectIdOf(home),
      workingDirectory: home,
      model: "demo:x",
    });
    await playTurn(session, 1);
    await session.writer.close();
    const { journal, snapshot, sessionId } = session.writer.paths;
    rmSync(snapshot);
    const newer = inFormat(readFileSync(journal, "utf8"), RECORD_FORMAT + 1);
    writeFileSync(journal, newer);

    const surroundings = { cwd: home, env: { XDG_DATA_HOME: home, XDG_CONFIG_HOME: home, HOME: home } };
    const ask = (...args: string[]) => runCommand(args, surroundings);
    for (const args of [
      ["run", "-c", "go on"],
      ["run", "--resume", sessionId, "go on"],
      ["sessions", "show", sessionId],
    ]) {
      const { code, stdout, stderr } = await ask(...args);
      expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
      expect(stderr).toContain(`was written by a newer tunacode (format ${RECORD_FORMAT + 1})`);
      expect(stderr).toContain("Update tunacode");
    }
    const listed = await ask("sessions", "list");
    expect(listed.code).toBe(0);
    expect(listed.stdout).toContain(sessionId.slice(0, 8));
    expect(await ask("sessions", "search", "answer-1.")).toMatchObject({ code: 0, stdout: "" });
    expect(readFileSync(journal, "utf8")).toBe(newer);
  });
});
