// Kills the built binary with -9 in the middle of a command that deletes. The next opening of the session writes down
// what the command had done by then, with the bytes that were there before.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/base/digest.ts";
import { type CliLab, openCliLab } from "../support/running-binary.ts";
import { answer, call } from "../support/strict-llm-server/turn.ts";

const KILLS = process.env["TUNACODE_LONG"] ? 40 : 1;
const FILES = 200;

let lab: CliLab;
beforeAll(async () => {
  lab = await openCliLab();
}, 120_000);
afterAll(() => lab.close());

test(`${KILLS} commands that were killed while they deleted can be taken back`, async () => {
  const sessions = join(lab.home, ".local/share/tunacode/sessions");
  for (let round = 0; round < KILLS; round++) {
    const folder = join(lab.folder, `round-${round}`);
    mkdirSync(join(folder, "files"), { recursive: true });
    for (let number = 0; number < FILES; number++)
      writeFileSync(join(folder, "files", `${number}`), `content ${round} ${number}\n`);
    rmSync(sessions, { recursive: true, force: true });
    lab.script([answer(call("bash", { command: "for f in files/*; do rm -f $f; sleep 0.01; done" }))]);
    const flags = ["--permission", "yolo", "--sandbox", "off"];
    const { child, ended } = lab.start(["run", ...flags, "delete"], { cwd: folder });
    const left = () => readdirSync(join(folder, "files")).length;
    const most = FILES - 10 - round * 3;
    while (left() > most) await Bun.sleep(2);
    child.kill("SIGKILL");
    await ended;
    // The command ends with the program, but not in the same instant.
    for (let before = FILES; before !== left(); await Bun.sleep(100)) before = left();

    lab.script([answer("continued")]);
    const next = await lab.run(["run", "--continue", "and now?"], { cwd: folder });
    expect(next).toMatchObject({ code: 0, stdout: "continued\n" });
    const [name = ""] = readdirSync(sessions).filter((entry) => entry.endsWith(".files"));
    const journal = readFileSync(join(sessions, name.replace(".files", ".jsonl")), "utf8");
    const [entry] = journal
      .split("\n")
      .filter((line) => line.includes('"kind":"files"'))
      .map((line) => JSON.parse(line));
    const changed: unknown[][] = entry["changes"];
    expect(entry["call"]).toBeString();
    expect(changed).toHaveLength(FILES - left());
    for (const [path = "", before] of changed) {
      const number = String(path).split("/").at(-1);
      const hash = sha256(`content ${round} ${number}\n`);
      expect(before).toEqual(["file", `sha256:${hash}`, expect.anything(), expect.anything()]);
      expect(existsSync(join(sessions, name, "blobs", hash.slice(0, 2), hash.slice(2)))).toBe(true);
    }
    expect(readdirSync(join(sessions, name))).not.toContain("runs");
    expect(next.stderr).toContain(`had changed ${FILES - left()} files`);
  }
}, 300_000);
