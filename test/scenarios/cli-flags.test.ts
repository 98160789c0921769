// Every flag in the table has an effect: the same command behaves differently with and without it. A flag without a
// demonstration here doesn't compile.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInTerminal } from "../../scripts/terminal-run.ts";
import { COMMAND_NAMES } from "../../src/cli/commands.ts";
import { FLAG_LIST, type FlagName, flagsOf } from "../../src/cli/flags.ts";
import { helpText } from "../../src/cli/help.ts";
import { git } from "../support/permission-project.ts";
import { type CliLab, openCliLab } from "../support/running-binary.ts";
import { answer, call, refuse, type Turn } from "../support/strict-llm-server/turn.ts";

setDefaultTimeout(60_000);

let lab: CliLab;
beforeAll(async () => {
  lab = await openCliLab();
}, 120_000);
afterAll(() => lab.close());

const listing = () => answer("on", call("list_dir", {}));
const writing = [answer(call("write_file", { filepath: "out.txt", content: "x" })), answer("done")];
const silent: Turn = { ...answer("x"), delivery: { headersAfterMs: Number.POSITIVE_INFINITY } };

async function run(args: readonly string[], turns: readonly Turn[] | (() => Turn) = [answer("fine")]) {
  lab.script(turns);
  return lab.run(["run", ...args]);
}

const lastRequest = () => lab.server.requests.at(-1);

const DEMONSTRATIONS: Readonly<Record<FlagName, () => Promise<void>>> = {
  model: async () => {
    await run(["-m", "openai:other-model", "hi"]);
    expect(lastRequest()?.model).toBe("other-model");
  },
  fallback: async () => {
    const full = (model: string) => model === "full" || model === "fuller";
    lab.script(({ model }) =>
      full(model) ? refuse(429, { code: "insufficient_quota" }) : answer(`from ${model}`),
    );
    const others = ["--fallback", "openai:fuller", "--fallback", "openai:free"];
    const { stdout, stderr } = await lab.run(["run", "-m", "openai:full", ...others, "hi"]);
    expect(stdout).toBe("from free\n");
    expect(stderr).toContain("openai:free answers in its place");
    expect((await lab.run(["run", "--fallback", "opanai:free", "hi"])).code).toBe(3);
  },
  output: async () => {
    expect((await run(["--output", "json", "hi"])).stdout).toStartWith("{");
  },
  "output-json": async () => {
    expect((await run(["--output-json", "hi"])).stdout).toStartWith("{");
  },
  stream: async () => {
    const turns = [listing(), answer("done")];
    expect((await run(["hi"], turns)).stdout).toBe("done\n");
    expect((await run(["--stream", "hi"], turns)).stdout).toBe("on\n\ndone\n");
  },
  "output-schema": async () => {
    writeFileSync(join(lab.folder, "schema.json"), '{"type": "number"}');
    expect((await run(["--output-schema", "schema.json", "hi"], [answer("```json\n7\n```")])).stdout).toBe(
      "7\n",
    );
  },
  file: async () => {
    writeFileSync(join(lab.folder, "given.txt"), "words of a file");
    await run(["--file", "given.txt", "hi"]);
    expect(lastRequest()?.text).toContain("words of a file");
  },
  continue: async () => {
    await run(["the first words"]);
    await run(["-c", "the second"]);
    expect(lastRequest()?.text).toContain("the first words");
  },
  resume: async () => {
    const { session_id } = JSON.parse((await run(["--output-json", "resumable words"])).stdout);
    await run(["-r", session_id.slice(0, 13), "more"]);
    expect(lastRequest()?.text).toContain("resumable words");
  },
  "no-session": async () => {
    expect(JSON.parse((await run(["--no-session", "--output-json", "hi"])).stdout).session_id).toBeNull();
  },
  cwd: async () => {
    mkdirSync(join(lab.folder, "inner"), { recursive: true });
    await run(["--cwd", "inner", "hi"]);
    expect(lastRequest()?.text).toContain(join(lab.folder, "inner"));
  },
  worktree: async () => {
    const { stdout } = await inRepository(["-w=fix", "--output-json", "hi"]);
    expect(JSON.parse(stdout).worktree).toMatchObject({ name: "fix", branch: "tunacode/fix" });
    expect(lastRequest()?.text).toContain(JSON.parse(stdout).worktree.path);
  },
  "with-changes": async () => {
    const { stdout } = await inRepository(["-w=brought", "--with-changes", "--output-json", "hi"]);
    expect(existsSync(join(JSON.parse(stdout).worktree.path, "changed.txt"))).toBe(true);
  },
  yes: async () => {
    await inRepository(["-w=gone", "--with-changes", "hi"]);
    const removing = ["worktrees", "remove", "gone"];
    expect((await lab.run(removing, { cwd: repository() })).code).toBe(2);
    expect((await lab.run([...removing, "--yes"], { cwd: repository() })).code).toBe(0);
  },
  "add-dir": async () => {
    const library = join(lab.folder, "..", "library");
    mkdirSync(library, { recursive: true });
    const edit = () => [
      answer(call("write_file", { filepath: join(library, "a"), content: "x" })),
      answer("done"),
    ];
    const editing = ["--permission", "auto-edit", "hi"];
    expect((await run(editing, edit())).code).toBe(6);
    expect((await run(["--add-dir", "../library", ...editing], edit())).code).toBe(0);
    expect(existsSync(join(library, "a"))).toBe(true);
    expect(lastRequest()?.text).toContain("Also part of the project: ");
    const reading = `cat ${join(library, "a")}`;
    expect((await lab.run(["permit", reading])).stdout).toStartWith("ask");
    expect((await lab.run(["permit", "--add-dir", "../library", reading])).stdout).toStartWith("allow");
    expect((await lab.run(["permit", "--add-dir", "..", reading])).code).toBe(2);
    expect((await run(["--add-dir", "/nowhere", "hi"])).code).toBe(2);
  },
  timeout: async () => {
    expect((await run(["--timeout", "0.3", "hi"], [silent])).code).toBe(124);
  },
  "max-iterations": async () => {
    expect((await run(["--max-iterations", "1", "hi"], listing)).code).toBe(5);
  },
  "max-cost": async () => {
    const costly = { ...listing(), usage: { input: 1_000_000, output: 10 } };
    expect((await run(["--max-cost", "0.01", "hi"], () => costly)).code).toBe(5);
  },
  "max-total-tokens": async () => {
    expect((await run(["--max-total-tokens", "10", "hi"], listing)).code).toBe(5);
  },
  "max-tool-calls": async () => {
    expect((await run(["--max-tool-calls", "1", "hi"], listing)).code).toBe(5);
  },
  permission: async () => {
    rmSync(join(lab.folder, "out.txt"), { force: true });
    expect((await run(["--permission", "auto-edit", "hi"], writing)).code).toBe(0);
    expect(existsSync(join(lab.folder, "out.txt"))).toBe(true);
  },
  allow: async () => {
    rmSync(join(lab.folder, "out.txt"), { force: true });
    expect((await run(["hi"], writing)).code).toBe(6);
    expect((await run(["--allow", "write(*.txt)", "hi"], writing)).code).toBe(0);
    expect(existsSync(join(lab.folder, "out.txt"))).toBe(true);
  },
  ask: async () => {
    expect((await lab.run(["permit", "--ask", "bash(ls)", "ls"])).stdout).toStartWith("ask");
    expect((await lab.run(["permit", "--allow", "bash(", "ls"])).code).toBe(2);
    expect((await lab.run(["run", "--allow", "bash(", "hi"])).code).toBe(2);
  },
  deny: async () => {
    rmSync(join(lab.folder, "out.txt"), { force: true });
    expect((await run(["--permission", "yolo", "--deny", "write", "hi"], writing)).code).toBe(0);
    expect(existsSync(join(lab.folder, "out.txt"))).toBe(false);
  },
  sandbox: async () => {
    expect((await lab.run(["permit", "--sandbox", "on", "make"])).stdout).toStartWith("allow");
    expect((await lab.run(["permit", "make"])).stdout).toStartWith("ask");
  },
  "base-url": async () => {
    const env = { OPENAI_BASE_URL: "" };
    lab.script([answer("there")]);
    const args = ["run", "--base-url", `${lab.server.url}/v1`, "-m", "openai:some", "hi"];
    expect((await lab.run(args, { env })).stdout).toBe("there\n");
  },
  thinking: async () => {
    await run(["--thinking", "high", "-m", "openai:gpt-6-sol", "hi"]);
    expect(lastRequest()?.body["reasoning_effort"]).toBe("high");
  },
  explain: async () => {
    const { stdout } = await lab.run(["permit", "--explain", "cd . && pwd"]);
    expect(stdout).toContain("It would run as: { 'cd' '.' || exit; } && 'pwd'");
  },
  nul: async () => {
    const { stdout } = await lab.run(["permit", "-0", "--output-json"], { stdin: "ls\0pwd\0" });
    expect(stdout.trimEnd().split("\n")).toHaveLength(2);
  },
  "dry-run": async () => {
    const { session_id } = JSON.parse((await run(["--output-json", "hi"])).stdout);
    const snapshot = (await lab.run(["sessions", "path", session_id])).stdout.trim();
    writeFileSync(`${snapshot}l`, "garbage");
    for (const status of ["planned", "changed"]) {
      const args = status === "planned" ? ["--dry-run"] : [];
      const { stdout } = await lab.run(["doctor", ...args, session_id]);
      expect(stdout).toMatch(new RegExp(`^${status} +session`, "m"));
      expect(readFileSync(`${snapshot}l`, "utf8") === "garbage").toBe(status === "planned");
    }
  },
  list: async () => {
    await change("listed words");
    expect((await lab.run(["undo", "--list"])).stdout).toMatch(/ 1 file .*listed words/);
  },
  to: async () => {
    await change("the first");
    await change("the second", "-c");
    expect((await lab.run(["undo", "--to", "1"])).code).toBe(0);
    expect(readFileSync(join(lab.folder, "out.txt"), "utf8")).toBe("before");
  },
  "files-only": async () => {
    await change("words that stay");
    const { stdout } = await lab.run(["undo", "--files-only", "--output-json"]);
    expect(JSON.parse(stdout).scope).toBe("files");
    expect((await lab.run(["undo", "--list"])).stdout).toMatch(/taken back +words that stay/);
  },
  redo: async () => {
    await change("words");
    await lab.run(["undo"]);
    expect(readFileSync(join(lab.folder, "out.txt"), "utf8")).toBe("before");
    expect((await lab.run(["undo", "--redo"])).code).toBe(0);
    expect(readFileSync(join(lab.folder, "out.txt"), "utf8")).toBe("x");
  },
  overwrite: async () => {
    await change("words");
    writeFileSync(join(lab.folder, "out.txt"), "of a person");
    expect((await lab.run(["undo", "--overwrite", "out.txt"])).code).toBe(0);
    expect(readFileSync(join(lab.folder, "out.txt"), "utf8")).toBe("before");
  },
  uncovered: async () => {
    mkdirSync(join(lab.folder, "node_modules"), { recursive: true });
    expect((await lab.run(["undo", "--uncovered"])).stdout).toContain("left out  node_modules");
  },
  limit: async () => {
    await run(["one more session"]);
    await run(["and another"]);
    expect((await lab.run(["sessions", "--limit", "1"])).stdout.trimEnd().split("\n")).toHaveLength(1);
  },
  all: async () => {
    mkdirSync(join(lab.home, "other"), { recursive: true });
    lab.script([answer("x")]);
    await lab.run(["run", "words of another project"], { cwd: join(lab.home, "other") });
    expect((await lab.run(["sessions"])).stdout).not.toContain("words of another project");
    expect((await lab.run(["sessions", "--all"])).stdout).toContain("words of another project");
  },
  "api-key": async () => {
    await setUp(["--model", "openai:gpt-6-sol", "--api-key", "sk-typed-key-000", "--no-test"]);
    expect(saved().env.OPENAI_API_KEY).toBe("sk-typed-key-000");
    await setUp(["--model", "openai:gpt-6-sol", "--api-key", "-", "--no-test"], "sk-piped-key-000\n");
    expect(saved().env.OPENAI_API_KEY).toBe("sk-piped-key-000");
  },
  api: async () => {
    const own = ["--model", "mine:big", "--base-url", "http://127.0.0.1:9/v1", "--api-key", "k", "--no-test"];
    await setUp([...own, "--api", "anthropic"]);
    expect(saved().providers.mine.api).toBe("anthropic");
  },
  "no-test": async () => {
    const args = ["--model", "openai:gpt-6-sol", "--api-key", "sk-some-key-0000"];
    const asked = lab.server.requests.length;
    lab.script([answer("OK")]);
    expect((await setUp(args)).code).toBe(0);
    expect(lab.server.requests.length).toBe(asked + 1);
    expect((await setUp([...args, "--no-test"])).code).toBe(0);
    expect(lab.server.requests.length).toBe(asked + 1);
  },
  quiet: async () => {
    writeFileSync(join(lab.folder, ".tunacode.json"), '{"frobnicate": 1}');
    expect((await run(["hi"])).stderr).toContain("frobnicate");
    expect((await run(["-q", "hi"])).stderr).toBe("");
    rmSync(join(lab.folder, ".tunacode.json"));
  },
  plain: async () => {
    const written = async (flags: readonly string[]) => {
      lab.script([answer("fine")]);
      const run = await runInTerminal([lab.binary, ...flags, "hi"], {
        columns: 80,
        rows: 24,
        cwd: lab.folder,
        env: lab.env,
        onOutput: (text, send) => text.includes("fine") && send("/exit\r"),
      });
      return run.pieces.map(({ text }) => text).join("");
    };
    expect(await written([])).toContain("\x1b[");
    expect(await written(["--plain"])).not.toContain("\x1b[");
  },
  debug: async () => {
    const { stderr } = await run(["--debug", "hi"]);
    const log = readFileSync(/The log is (.*)/.exec(stderr)?.[1] ?? "", "utf8");
    const lines = log
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map((line) => line.event?.type)).toContain("text-delta");
    expect(new Set(lines.map((line) => line.request_id)).size).toBe(1);
    expect(log).not.toContain(lab.env["OPENAI_API_KEY"]);
  },
  help: async () => {
    for (const command of COMMAND_NAMES)
      expect((await lab.run([command, "-h"])).stdout).toBe(helpText(command));
  },
  version: async () => {
    expect((await lab.run(["-v"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  },
};

/** A turn that changes a file. */
async function change(prompt: string, ...flags: readonly string[]): Promise<void> {
  if (flags.length === 0) writeFileSync(join(lab.folder, "out.txt"), "before");
  const content = flags.length === 0 ? "x" : "y";
  const turns = [
    answer(call("read_file", { filepath: "out.txt" })),
    answer(call("write_file", { filepath: "out.txt", content })),
    answer("done"),
  ];
  expect((await run(["--permission", "auto-edit", ...flags, prompt], turns)).code).toBe(0);
}

const repository = () => join(lab.home, "repository");

async function inRepository(args: readonly string[]) {
  if (!existsSync(repository())) {
    mkdirSync(repository());
    git(repository(), "init", "-q", "-b", "main");
    git(repository(), "commit", "-q", "--allow-empty", "-m", "first");
    writeFileSync(join(repository(), "changed.txt"), "x");
  }
  lab.script([answer("fine")]);
  return lab.run(["run", ...args], { cwd: repository() });
}

function setUp(args: readonly string[], stdin?: string) {
  const env = { XDG_CONFIG_HOME: join(lab.home, "set-up"), OPENAI_API_KEY: "" };
  return lab.run(["setup", ...args], { env, ...(stdin === undefined ? {} : { stdin }) });
}

function saved() {
  return JSON.parse(readFileSync(join(lab.home, "set-up/tunacode.json"), "utf8"));
}

describe("flag", () => {
  for (const [name] of FLAG_LIST) test(`--${name}`, DEMONSTRATIONS[name], 20_000);
});

test("every flag of every command is in its help", () => {
  for (const command of COMMAND_NAMES)
    for (const [name, flag] of flagsOf(command)) {
      expect(helpText(command)).toContain(`--${name}`);
      expect(helpText(command)).toContain(flag.help);
    }
});
