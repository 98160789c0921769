// How often a person is bothered: harmless everyday commands, and how long the decisions take.
import { afterAll, expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createPermissionContext } from "../../src/app/permit.ts";
import { decide } from "../../src/permission/decide.ts";
import { createPermissionProject } from "../support/permission-project.ts";

const project = createPermissionProject();
afterAll(project.close);

test.each(["everyday-commands.txt", "everyday-commands-of-models.txt"])(
  "at most a tenth of %s is asked about",
  (name) => {
    // An ordinary project: the secrets and traps of the other tests are not in it.
    for (const path of [".env", "certs", "vendor", "link-out", "link-home", "link-trap", "loop"])
      rmSync(join(project.root, path), { recursive: true, force: true });
    const text = readFileSync(join(import.meta.dir, "../fixtures", name), "utf8");
    const commands = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    expect(commands.length).toBeGreaterThanOrEqual(150);
    const context = createPermissionContext({
      permission: { mode: "ask", rules: [], sandbox: "off" },
      cwd: project.root,
      trusted: false,
      env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: project.home },
    });
    const times: number[] = [];
    const asked: string[] = [];
    for (const command of commands) {
      const demand = { type: "shell", command, folder: project.root, env: {} } as const;
      const startedAt = performance.now();
      const { decision, reason } = decide({ toolName: "bash", demands: [demand] }, context);
      times.push(performance.now() - startedAt);
      if (decision !== "allow") asked.push(`${command}: ${reason}`);
    }
    times.sort((first, second) => first - second);
    const [median = 0, longest = 0] = [times[times.length >> 1], times.at(-1)];
    console.log(
      `${asked.length} of ${commands.length} asked about; median ${median.toFixed(2)} ms, longest ${longest.toFixed(0)} ms`,
    );
    if (process.env["TUNACODE_LONG"] === "1") console.log(asked.join("\n"));
    if (asked.length > commands.length / 10) expect(asked).toEqual([]);
    expect(longest).toBeLessThan(2_000);
  },
);
