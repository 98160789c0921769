import { expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { liveness, ownIdentity } from "./liveness.ts";

test("our own process is running; one with our id and another start time is dead", () => {
  const self = ownIdentity();
  expect(liveness(self)).toBe("running");
  expect(liveness({ ...self, started: "1" })).toBe("dead");
});

test("a process from before a reboot is dead; one on another machine can't be seen", () => {
  const self = ownIdentity();
  expect(liveness({ ...self, boot: "another" })).toBe("dead");
  expect(liveness({ ...self, host: "another" })).toBe("elsewhere");
  expect(liveness({ ...self, namespace: "another" })).toBe("elsewhere");
});

test("a process is running, stopped, running again, and dead", async () => {
  const child = spawn("sleep", ["60"]);
  const { pid = 0 } = child;
  const identity = { ...ownIdentity(), pid, started: "" };
  const ended = new Promise((resolve) => child.on("exit", resolve));
  await becomes(() => liveness(identity), "running");
  child.kill("SIGSTOP");
  await becomes(() => liveness(identity), "stopped");
  child.kill("SIGCONT");
  await becomes(() => liveness(identity), "running");
  child.kill("SIGKILL");
  await ended;
  await becomes(() => liveness(identity), "dead");
});

async function becomes(state: () => string, wanted: string): Promise<void> {
  for (let attempt = 0; attempt < 500 && state() !== wanted; attempt++) await Bun.sleep(10);
  expect(state()).toBe(wanted);
}
