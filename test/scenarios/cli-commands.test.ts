// The commands config, models, setup, sessions, doctor and help, run with the built binary.
import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { COMMAND_NAMES } from "../../src/cli/commands.ts";
import { type CliLab, openCliLab, type RunOptions } from "../support/running-binary.ts";
import { answer, call, refuse } from "../support/strict-llm-server/turn.ts";

setDefaultTimeout(60_000);

let lab: CliLab;
beforeAll(async () => {
  lab = await openCliLab();
}, 120_000);
afterAll(() => lab.close());
beforeEach(() => {
  lab.script([]);
  for (const path of [".config", "work/.tunacode.json", "work/.tunacode"])
    rmSync(join(lab.home, path), { recursive: true, force: true });
});

const ask = (line: string, options?: RunOptions) => lab.run(line.split(" "), options);

function write(path: string, content: unknown): string {
  const whole = join(lab.home, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, typeof content === "string" ? content : JSON.stringify(content), { mode: 0o600 });
  return whole;
}

describe("config", () => {
  test("show prints every value with its origin and masks API keys", async () => {
    const personal = write(".config/tunacode.json", {
      default_model: "openai:mine",
      env: {
        ANTHROPIC_API_KEY: "sk-ant-secret-0123456789",
        OPENAI_BASE_URL: "https://me:secret-word@host/v1",
      },
      permissions: { deny: ["bash(rm)"] },
    });
    const project = write("work/.tunacode.json", {
      settings: { max_iterations: 7, theme: "dark" },
      permissions: { deny: ["bash(git push)"] },
    });
    const { code, stdout } = await ask("config show --output json");
    expect(code).toBe(0);
    const values: { key: string; value: unknown; origin: string }[] = JSON.parse(stdout);
    const told = (key: string) =>
      values.filter((value) => value.key === key).map(({ value, origin }) => [value, origin]);
    expect(told("default_model")).toEqual([["openai:mine", personal]]);
    expect(told("settings.max_iterations")).toEqual([[7, project]]);
    expect(told("settings.theme")).toEqual([]);
    expect(told("permissions.mode")).toEqual([["ask", "default"]]);
    expect(told("permissions.deny")).toEqual([
      [["bash(rm)"], personal],
      [["bash(git push)"], project],
    ]);
    expect(told("OPENAI_API_KEY")).toEqual([["***6789", "environment"]]);
    expect(told("env.ANTHROPIC_API_KEY")).toEqual([["***6789", personal]]);
    for (const secret of ["sk-ant", "sk-strict", "secret-word"]) expect(stdout).not.toContain(secret);
    const text = await ask("config");
    expect(text.stdout).toContain(personal);
    for (const secret of ["sk-ant", "sk-strict", "secret-word"]) expect(text.stdout).not.toContain(secret);
  });

  test("path prints both files, whether they exist or not", async () => {
    expect((await ask("config path")).stdout).toBe(
      `${join(lab.home, ".config/tunacode.json")}\n${join(lab.folder, ".tunacode.json")}\n`,
    );
  });

  test("schema prints a JSON Schema with every group of keys", async () => {
    const schema = JSON.parse((await ask("config schema")).stdout);
    expect(Object.keys(schema.properties)).toEqual([
      "$schema",
      "default_model",
      "fallback",
      "small_model",
      "env",
      "providers",
      "permissions",
      "sandbox",
      "settings",
    ]);
    expect(schema.properties.settings.properties.global_request_timeout.type).toBe("number");
  });

  test("trust shows what is trusted, with its values and nothing hidden", async () => {
    write("work/.tunacode.json", {
      env: { OPENAI_API_KEY: "sk-of-somebody-else-1234" },
      permissions: { allow: ["bash(a\u200bb)"] },
    });
    write("work/.tunacode/commands/go.md", "Run \u001b[8mthis\nand that");
    const { stderr } = await ask("config trust");
    await ask("config distrust");
    expect(stderr.split("\n")).toEqual(
      expect.arrayContaining([
        "  .tunacode.json: env.OPENAI_API_KEY = ***1234",
        '  .tunacode.json: permissions.allow = ["bash(a⟨U+200B⟩b)"]',
        "  .tunacode/commands/go.md: Run ⟨U+001B⟩[8mthis",
      ]),
    );
  });

  test("trust enables the project's own file and commands, distrust disables them", async () => {
    write("work/.tunacode.json", { permissions: { mode: "yolo" } });
    write("work/.tunacode/commands/shout.md", "Shout $1 at $2, please.");
    const mode = async () => (await ask("permit --output-json make")).stdout.includes('"decision":"allow"');
    expect(await mode()).toBe(false);
    const refused = await lab.run(["run", "/shout hello world"]);
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain("tunacode config trust");
    await ask("config trust");
    expect(await mode()).toBe(true);
    lab.script([answer("HELLO")]);
    expect(await lab.run(["run", "/shout hello world"])).toMatchObject({ code: 0, stdout: "HELLO\n" });
    expect(lab.server.requests.at(-1)?.text).toContain("Shout hello at world, please.");
    await ask("config distrust");
    expect(await mode()).toBe(false);
    expect((await ask("config trust", { cwd: lab.home })).code).toBe(2);
  });

  test("a bad key is an error with its path, in every command that reads it", async () => {
    const path = write(".config/tunacode.json", { settings: { timeouts: { idle: "never" } } });
    for (const line of ["run hi", "models", "config show", "permit ls"]) {
      const { code, stderr } = await ask(line);
      expect(code).toBe(3);
      expect(stderr).toBe(`tunacode: ${path}: settings.timeouts.idle must be a number\n`);
    }
  });

  test("rules that the person keeps for this project hold in permit and run, and config shows them", async () => {
    const line = (rule: string, project = lab.folder) =>
      JSON.stringify({ project, verdict: "allow", rule, kept: true });
    const path = write(
      ".config/tunacode/remembered-rules.jsonl",
      ["{damaged", line("bash(make)"), line("write(*.md)"), line("bash(rm x)", "/elsewhere")].join("\n"),
    );
    const { stdout, stderr } = await ask("permit make");
    expect(stdout).toBe("allow  make\n       The rule bash(make) (kept for this project) allows it.\n");
    expect(stderr).toContain(`Line 1 of ${path} is damaged`);
    expect((await lab.run(["permit", "rm x"])).stdout).toStartWith("ask");
    expect((await lab.run(["permit", "--deny", "bash(make)", "make"])).stdout).toStartWith("deny");
    expect((await lab.run(["permit", "--ask", "bash(make)", "make"])).stdout).toStartWith("ask");
    expect((await lab.run(["permit", "--permission", "read-only", "make"])).stdout).toStartWith("deny");
    expect((await ask("config")).stdout).toContain(path);
    const edit = (filepath: string) => [
      answer(call("write_file", { filepath, content: "x" })),
      answer("done"),
    ];
    lab.script(edit("new.md"));
    const ended = await ask("run go");
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain(`Line 1 of ${path} is damaged`);
    lab.script(edit("new.txt"));
    expect((await ask("run go")).code).toBe(6);
    write(".config/tunacode/remembered-rules.jsonl", line("bash("));
    const wrong = await ask("permit make");
    expect([wrong.code, wrong.stderr.includes("remembered-rules.jsonl")]).toEqual([3, true]);
  });

  test("a configured provider, key and model are used", async () => {
    write(".config/tunacode.json", {
      default_model: "mine:big",
      env: { MINE_KEY: "sk-mine-0123456789" },
      providers: { mine: { api: "anthropic", base_url: lab.server.url, api_key_env: "MINE_KEY" } },
    });
    lab.script([answer("mine")]);
    expect(await ask("run hi")).toMatchObject({ code: 0, stdout: "mine\n" });
    expect(lab.server.requests.at(-1)).toMatchObject({ wire: "anthropic", model: "big" });
    expect(lab.server.requests.at(-1)?.headers.get("x-api-key")).toBe("sk-mine-0123456789");
  });
});

describe("a setting reaches the request", () => {
  const withSettings = (settings: object) => write(".config/tunacode.json", { settings });
  const lastText = () => lab.server.requests.at(-1)?.text ?? "";

  test("max_tokens", async () => {
    withSettings({ max_tokens: 1234 });
    lab.script([answer("x")]);
    await ask("run hi");
    expect(lastText()).toMatch(/"max_(completion_)?tokens":1234/);
  });

  test("guide_file", async () => {
    withSettings({ guide_file: "GUIDE.md" });
    writeFileSync(join(lab.folder, "GUIDE.md"), "Always whistle.");
    lab.script([answer("x")]);
    await ask("run hi");
    expect(lastText()).toContain("Always whistle.");
  });

  test("max_iterations and global_request_timeout", async () => {
    withSettings({ max_iterations: 1, global_request_timeout: 0.3 });
    lab.script(() => answer(call("list_dir", {})));
    expect((await ask("run hi")).code).toBe(5);
    lab.script([{ ...answer("x"), delivery: { headersAfterMs: Number.POSITIVE_INFINITY } }]);
    expect((await ask("run hi")).code).toBe(124);
  });

  test("max_command_output", async () => {
    withSettings({ max_command_output: 1000 });
    lab.script([answer(call("bash", { command: "seq 1 2000" })), answer("x")]);
    await ask("run --permission yolo hi");
    expect(lastText()).toContain("Output over 1,000 characters is cut");
    expect(lastText()).not.toContain("\\n500\\n");
    expect(lastText()).toContain("\\n2000");
  });

  test("request_delay", async () => {
    withSettings({ request_delay: 0.5 });
    lab.script([answer("x")]);
    expect(JSON.parse((await ask("run --output-json hi")).stdout).duration_ms).toBeGreaterThanOrEqual(500);
  });

  test("max_retries and timeouts", async () => {
    withSettings({ max_retries: 0, timeouts: { first_byte: 0.2 } });
    const asked = lab.server.requests.length;
    lab.script(() => ({ ...answer("x"), delivery: { headersAfterMs: Number.POSITIVE_INFINITY } }));
    expect((await ask("run hi")).code).toBe(4);
    expect(lab.server.requests.length).toBe(asked + 1);
  });
});

describe("models", () => {
  test("lists the usable models with context windows and prices", async () => {
    const { stdout } = await ask("models", { env: { ANTHROPIC_API_KEY: "sk-any" } });
    expect(stdout).toMatch(/^model +context +input/);
    expect(stdout).toMatch(/anthropic:claude-sonnet-5 +1M +\d.* default/);
    expect(stdout).toContain("openai:strict-model");
    expect(stdout).not.toContain("google:");
  });

  test("with a filter, also lists other models and what they need", async () => {
    expect((await ask("models claude-sonnet-5")).stdout).toMatch(
      /anthropic:claude-sonnet-5 .*needs ANTHROPIC_API_KEY/,
    );
    const [model] = JSON.parse((await ask("models anthropic:claude-sonnet-5 --output json")).stdout);
    expect(model).toMatchObject({ usable: false, key_names: ["ANTHROPIC_API_KEY"] });
    expect((await ask("models no-such-model")).stderr).toContain("no-such-model");
  });

  test("if only the demo is usable, a message says what to do next", async () => {
    const none = { OPENAI_API_KEY: "", OPENAI_BASE_URL: "" };
    const { stdout, stderr } = await ask("models", { env: none });
    expect(stdout).toContain("demo:tour");
    expect(stderr).toContain("No key and no local server was found. Set one of OPENAI_API_KEY");
  });
});

describe("setup", () => {
  const noKey = { env: { OPENAI_API_KEY: "" } };

  test("without a terminal, the flags are tried with one request and saved where nobody else can read them", async () => {
    lab.script([answer("OK")]);
    const { code, stderr } = await ask("setup --model openai:gpt-6-sol --api-key -", {
      ...noKey,
      stdin: "sk-new-key-12345\n",
    });
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("answered in") });
    const path = join(lab.home, ".config/tunacode.json");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
      default_model: "openai:gpt-6-sol",
      env: { OPENAI_API_KEY: "sk-new-key-12345" },
    });
    lab.script([answer("hello")]);
    expect(await ask("run hi", noKey)).toMatchObject({ code: 0, stdout: "hello\n" });
  });

  test("a setup that doesn't work is not saved", async () => {
    lab.script([refuse(401)]);
    const { code } = await ask("setup --model openai:gpt-6-sol --api-key sk-wrong-key", noKey);
    expect(code).toBe(3);
    expect(() => statSync(join(lab.home, ".config/tunacode.json"))).toThrow();
  });

  test.each([
    ["setup", 2, "--model PROVIDER:MODEL"],
    ["setup --model anthropic", 3, "--api-key"],
    ["setup --model nobody:x --api-key k", 2, "--base-url"],
  ])("%j: %d, %s", async (line, code, words) => {
    const ended = await ask(line, { stdin: "" });
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(words);
  });

  test("on a terminal it asks, and doesn't echo the key", async () => {
    lab.script([answer("OK")]);
    const screen = await onTerminal(["setup"], { OPENAI_API_KEY: "" }, [
      ["Provider", "openai\r"],
      ["Key,", "sk-typed-in-secret\r"],
      ["Model", "\r"],
    ]);
    expect(screen).toContain("Saved to");
    expect(screen).not.toContain("sk-typed");
    const { env } = JSON.parse(readFileSync(join(lab.home, ".config/tunacode.json"), "utf8"));
    expect(env).toEqual({ OPENAI_API_KEY: "sk-typed-in-secret" });
  });
});

test("on a terminal, a run shows its progress, erases it and prints a summary", async () => {
  lab.script([answer("The \u001b[31manswer\u001b[0m.")]);
  const screen = await onTerminal(["run", "hi"], { TERM: "xterm" }, []);
  expect(screen).toContain("The answer.");
  expect(screen).toMatch(/session [0-9a-f]{8} · .* tokens/);
  expect(screen).toContain("\r\u001b[2K");
});

describe("sessions", () => {
  test("list, show, path and delete", async () => {
    lab.script([answer("the answer's words")]);
    const { session_id: id } = JSON.parse(
      (await lab.run(["run", "--output-json", "the person's words"])).stdout,
    );
    const short = id.slice(0, 8);
    expect((await ask("sessions")).stdout).toContain(short);
    const listed = JSON.parse((await ask("sessions list --output json")).stdout);
    expect(listed.map((session: { session_id: string }) => session.session_id)).toContain(id);
    const { stdout } = await ask(`sessions show ${short}`);
    expect(stdout).toContain("> the person's words");
    expect(stdout).toContain("the answer's words");
    const path = (await ask(`sessions path ${short}`)).stdout.trim();
    expect(JSON.parse(readFileSync(path, "utf8")).session_id).toBe(id);
    expect((await ask(`sessions show ${path}`)).stdout).toBe(stdout);
    expect((await ask(`sessions delete ${short}`)).code).toBe(0);
    expect((await ask(`sessions show ${short}`)).code).toBe(2);
  });

  test.each([
    "sessions show",
    "sessions show ffffffff",
    "sessions delete",
    "sessions burn",
    "sessions show a b",
  ])("%s: a usage error", async (line) => expect((await ask(line)).code).toBe(2));
});

describe("doctor", () => {
  test("checks the setup line by line", async () => {
    const { code, stdout } = await ask("doctor --output json");
    const checks: { name: string; status: string }[] = JSON.parse(stdout);
    for (const name of ["config", "runtime", "ripgrep", "model", "provider", "sessions"])
      expect(checks).toContainEqual(expect.objectContaining({ name, status: "ok" }));
    expect(checks.map((check) => check.name)).toContain("sandbox");
    expect(code).toBe(0);
  }, 30_000);

  test("a failure has a remedy and an exit code", async () => {
    write(".config/tunacode.json", { sandbox: "maybe" });
    const { code, stdout } = await ask("doctor");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^failure +config .*sandbox must be one of[\s\S]*Remedy: /);
    rmSync(join(lab.home, ".config"), { recursive: true });
    const unreachable = await ask("doctor --base-url http://127.0.0.1:9/v1");
    expect(unreachable.code).toBe(1);
    expect(unreachable.stdout).toMatch(/failure +provider .*can't be reached/);
  }, 30_000);

  test("repairs a truncated session and says what it found", async () => {
    lab.script([answer("one"), answer("two")]);
    const { session_id: id } = JSON.parse((await lab.run(["run", "--output-json", "first"])).stdout);
    const path = (await ask(`sessions path ${id}`)).stdout.trim();
    const journal = `${path}l`;
    const lines = readFileSync(journal, "utf8").trimEnd().split("\n");
    writeFileSync(journal, `${lines.slice(0, -2).join("\n")}\n{"torn`);
    rmSync(path);
    const { code, stdout } = await ask(`doctor ${id.slice(0, 8)}`);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split("\n").length).toBeGreaterThan(1);
    expect(stdout).toContain("repaired");
    expect(await ask(`doctor ${id}`)).toMatchObject({ code: 0 });
    expect(await lab.run(["run", "-q", "-r", id, "second"])).toMatchObject({ code: 0, stdout: "two\n" });
  });

  test("an unreadable session is a failure", async () => {
    lab.script([answer("one")]);
    const { session_id: id } = JSON.parse((await lab.run(["run", "--output-json", "first"])).stdout);
    const path = (await ask(`sessions path ${id}`)).stdout.trim();
    for (const file of [path, `${path}l`]) writeFileSync(file, "garbage");
    const { code, stdout } = await ask(`doctor ${id}`);
    expect(code).toBe(1);
    expect(stdout).toMatch(/failure +session .*none of it could be read/);
    await ask(`sessions delete ${id}`);
  });

  test.each([
    ["package.json", '{"name":"fish"}', "contains no session"],
    ["data.jsonl", '{"a":1}\n{"a":2}\n', "contains no session"],
    ["list.json", "[1, 2]", "contains no session"],
    ["notes.txt", "tuna", "is not a session file"],
  ])("leaves %s, which is no session, as it is", async (name, text, told) => {
    const file = join(lab.folder, name);
    writeFileSync(file, text);
    const before = readdirSync(lab.folder).sort();
    const { code, stderr } = await ask(`doctor ${name}`);
    expect(code).toBe(2);
    expect(stderr).toContain(told);
    expect(readdirSync(lab.folder).sort()).toEqual(before);
    expect(readFileSync(file, "utf8")).toBe(text);
    rmSync(file);
  });
});

test("help has a topic for every command", async () => {
  for (const command of COMMAND_NAMES) {
    const { code, stdout } = await lab.run(["help", command]);
    expect(code).toBe(0);
    expect(stdout).toStartWith(`tunacode ${command}`);
  }
  expect((await ask("help nothing")).code).toBe(2);
});

/** Returns what the terminal shows. Each answer is typed once its question has appeared. */
async function onTerminal(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  answers: readonly (readonly [question: string, answer: string])[],
): Promise<string> {
  let screen = "";
  let seen = 0;
  const waiting = [...answers];
  const decoder = new TextDecoder();
  const child = Bun.spawn([lab.binary, ...args], {
    cwd: lab.folder,
    env: { ...lab.env, TERM: "xterm", ...env },
    timeout: 20_000,
    terminal: {
      cols: 100,
      rows: 30,
      data: (terminal, bytes) => {
        screen += decoder.decode(bytes, { stream: true });
        const [question, typed] = waiting[0] ?? [];
        if (question === undefined || typed === undefined || !screen.slice(seen).includes(question)) return;
        waiting.shift();
        seen = screen.length;
        terminal.write(typed);
      },
    },
  });
  await child.exited;
  await Bun.sleep(50);
  child.terminal?.close();
  return screen;
}
