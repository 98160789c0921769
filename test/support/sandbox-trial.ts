// A small program around the sandbox: reads {root, home, commands}, runs the commands in it and reports. It is
// compiled into a binary of its own, because there the sandbox's programs have to be found in another way.
import { spawnSync } from "node:child_process";
import { createSandbox } from "../../src/permission/sandbox.ts";
import { createRipgrepPath } from "../../src/tools/ripgrep.ts";

interface Trial {
  readonly root: string;
  readonly home: string;
  readonly commands: readonly string[];
}

const trial = JSON.parse(process.argv[2] ?? "{}") as Trial;
const sandbox = await createSandbox({ ...trial, ripgrepPath: createRipgrepPath() });
const runs = [];
for (const command of sandbox.available ? trial.commands : []) {
  const { argv } = await sandbox.wrapCommand(command, trial.root, AbortSignal.timeout(20_000));
  const [program = "", ...args] = argv;
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: trial.root,
    encoding: "utf8",
    timeout: 20_000,
    stdio: ["ignore", "pipe", "pipe"],
  });
  runs.push({ command, status, output: `${stdout}${stderr}` });
}
await sandbox.close();
console.log(JSON.stringify({ available: sandbox.available, reason: sandbox.reason, runs }));
