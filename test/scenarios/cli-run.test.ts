// `tunacode run` with the built binary against a strict vendor: its output, its exit code, its session on disk.
import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import resultSchema from "../../docs/schema/result.schema.json";
import { type CliLab, openCliLab } from "../support/running-binary.ts";
import { answer, call, refuse, text } from "../support/strict-llm-server/turn.ts";

setDefaultTimeout(60_000);

let lab: CliLab;
beforeAll(async () => {
  lab = await openCliLab();
}, 120_000);
afterAll(() => lab.close());
beforeEach(() => lab.script([]));

const checkResult = z.fromJSONSchema(resultSchema as Parameters<typeof z.fromJSONSchema>[0]);

/** The result object, checked against the published schema. */
function resultOf(stdout: string) {
  const result = JSON.parse(stdout);
  const { type: _, ...body } = result;
  expect(checkResult.safeParse(body).error?.issues ?? []).toEqual([]);
  return result;
}

describe("text", () => {
  test("the answer goes to stdout, and nothing to stderr", async () => {
    lab.script([answer("Forty-two.")]);
    expect(await lab.run(["run", "what is it?"])).toEqual({ code: 0, stdout: "Forty-two.\n", stderr: "" });
  });

  test("only the last response is the answer", async () => {
    writeFileSync(join(lab.folder, "note.txt"), "inside\n");
    lab.script([
      answer("Let me look.", call("read_file", { filepath: "note.txt" })),
      answer("It says inside."),
    ]);
    expect(await lab.run(["run", "read it"])).toMatchObject({ code: 0, stdout: "It says inside.\n" });
  });

  test("several words are one prompt, and without a terminal `run` can be left out", async () => {
    lab.script([answer("ok")]);
    expect(await lab.run(["say", "it", "now"])).toMatchObject({ code: 0, stdout: "ok\n" });
    expect(lab.server.requests.at(-1)?.text).toContain("say it now");
  });
});

describe("json", () => {
  test("is one object with everything a script needs", async () => {
    writeFileSync(join(lab.folder, "note.txt"), "inside\n");
    lab.script([answer(call("read_file", { filepath: "note.txt" })), answer("Done.")]);
    const { code, stdout, stderr } = await lab.run(["run", "--output", "json", "read it"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const result = resultOf(stdout);
    expect(result).toMatchObject({
      success: true,
      outcome: "completed",
      output: "Done.",
      model: "openai:gpt-6-sol",
      tool_calls: [{ tool: "read_file", args: { filepath: "note.txt" }, status: "completed" }],
      denials: [],
      repairs: [],
    });
    expect(result.usage.prompt_tokens).toBeGreaterThan(0);
    expect(result.request_id).toHaveLength(8);
    expect(result.messages.map((message: { kind: string }) => message.kind)).toEqual([
      "request",
      "response",
      "request",
      "response",
    ]);
    const shown = await lab.run(["sessions", "show", result.session_id, "--output", "json"]);
    expect(JSON.parse(shown.stdout).messages).toEqual(result.messages);
  });

  test("says what failed", async () => {
    lab.script([refuse(401, { message: "bad key" })]);
    const { code, stdout } = await lab.run(["run", "--output-json", "hello"]);
    expect(code).toBe(3);
    expect(resultOf(stdout)).toMatchObject({ success: false, outcome: "failed", error: { code: "auth" } });
  });

  test("is printed even if no request could start", async () => {
    const { code, stdout } = await lab.run(["run", "--output", "json", "--model", "nobody:x", "hello"]);
    expect(code).toBe(3);
    expect(resultOf(stdout)).toMatchObject({ success: false, error: { code: "config" }, messages: [] });
  });
});

describe("stream-json", () => {
  test("is one event per line, with type as the first key, and ends with the result", async () => {
    writeFileSync(join(lab.folder, "note.txt"), "inside\n");
    lab.script([answer("Let me.", call("read_file", { filepath: "note.txt" })), answer("Done.")]);
    const { code, stdout } = await lab.run(["run", "--output", "stream-json", "read it"]);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    for (const line of lines) expect(line).toStartWith('{"type":"');
    const types = lines.map((line) => JSON.parse(line).type);
    expect(types[0]).toBe("request-start");
    expect(types.slice(-2)).toEqual(["request-end", "result"]);
    for (const type of [
      "node-start",
      "text-delta",
      "message-end",
      "batch-start",
      "tool-start",
      "tool-end",
      "usage",
    ])
      expect(types).toContain(type);
    expect(resultOf(lines.at(-1) ?? "").output).toBe("Done.");
    expect(stdout).not.toMatch(/"[a-z]+[A-Z]\w*":/);
  });

  test("lines arrive while the model is still streaming", async () => {
    const delivery = {
      pieces: "event",
      pauses: [{ beforeByte: 700, ms: Number.POSITIVE_INFINITY }],
    } as const;
    lab.script([{ ...answer(text("one two three four five six seven eight", 4)), delivery }]);
    const running = lab.start(["run", "--output", "stream-json", "count"]);
    await running.printed('{"type":"text-delta"');
    running.child.kill("SIGINT");
    const { code, stdout } = await running.ended;
    expect(code).toBe(130);
    expect(resultOf(stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({ outcome: "aborted" });
  });
});

describe("exit codes", () => {
  /** A configuration without retries. */
  const impatient = () => {
    const folder = join(lab.home, "impatient");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "tunacode.json"), JSON.stringify({ settings: { max_retries: 0 } }));
    return folder;
  };
  const cases: [string, number, string, () => void, (readonly string[])?][] = [
    ["a refused key", 3, "auth", () => lab.script([refuse(403)])],
    [
      "a model that isn't there",
      3,
      "model_not_found",
      () => lab.script([refuse(404, { code: "model_not_found" })]),
    ],
    ["a bad request", 4, "provider_error", () => lab.script([refuse(400, { message: "odd" })])],
    ["an empty answer, again and again", 1, "empty_response", () => lab.script(() => answer(" "))],
    [
      "a limit of model calls",
      5,
      "limit",
      () => lab.script(() => answer("on", call("list_dir", {}))),
      ["--max-iterations", "1"],
    ],
    [
      "a time-out",
      124,
      "timeout",
      () => lab.script([{ ...answer("x"), delivery: { headersAfterMs: Number.POSITIVE_INFINITY } }]),
      ["--timeout", "0.5"],
    ],
    [
      "a call that needed a person",
      6,
      "permission",
      () => lab.script([answer(call("write_file", { filepath: "x", content: "y" })), answer("I could not.")]),
    ],
    [
      "a provider that isn't there",
      4,
      "provider_unreachable",
      () => {},
      ["--base-url", "http://127.0.0.1:9/v1"],
    ],
  ];
  for (const [name, code, error, prepare, args = []] of cases)
    test(`${name}: ${code}`, async () => {
      prepare();
      const env = { XDG_CONFIG_HOME: impatient() };
      const ended = await lab.run(["run", "--output", "json", ...args, "go"], { env });
      expect(resultOf(ended.stdout).error).toMatchObject({ code: error });
      expect(ended.code).toBe(code);
    });

  test("a call denied by a rule is not reported as one that needed approval", async () => {
    const turns = [answer(call("write_file", { filepath: "x", content: "y" })), answer("I may not.")];
    lab.script(turns);
    expect(await lab.run(["run", "--permission", "read-only", "go"])).toMatchObject({ code: 0 });
    lab.script(turns);
    expect(await lab.run(["run", "--deny", "write", "go"])).toMatchObject({ code: 0 });
  });

  const misused = [
    ["run"],
    ["run", "-"],
    ["run", " "],
    ["run", "--nonsense", "x"],
    ["run", "--timeout", "soon", "x"],
    ["run", "-c", "-r", "a", "x"],
    ["run", "--cwd", "/nowhere", "x"],
    ["run", "-r", "ffffffff", "x"],
  ];
  for (const args of misused)
    test(`${JSON.stringify(args)}: a usage error`, async () => {
      const { code, stdout, stderr } = await lab.run(args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toStartWith("tunacode: ");
    });

  test("without any usable model, three lines say what to do", async () => {
    const env = {
      OPENAI_API_KEY: "",
      OPENAI_BASE_URL: "",
      OLLAMA_HOST: "127.0.0.1:9",
      LMSTUDIO_BASE_URL: "http://127.0.0.1:9",
      LLAMACPP_BASE_URL: "http://127.0.0.1:9",
      VLLM_BASE_URL: "http://127.0.0.1:9",
    };
    const { code, stderr } = await lab.run(["run", "hello"], { env });
    expect(code).toBe(3);
    expect(stderr.trimEnd().split("\n")).toHaveLength(3);
    for (const word of ["ANTHROPIC_API_KEY", "tunacode setup", "ollama", "tunacode demo"])
      expect(stderr).toContain(word);
  });

  test("a running local server is used without a message", async () => {
    lab.script([answer("local")]);
    const env = {
      OPENAI_API_KEY: "",
      OPENAI_BASE_URL: "",
      VLLM_BASE_URL: `${lab.server.url}/v1`,
      VLLM_API_KEY: "any",
      OLLAMA_HOST: "127.0.0.1:9",
      LMSTUDIO_BASE_URL: "http://127.0.0.1:9",
      LLAMACPP_BASE_URL: "http://127.0.0.1:9",
    };
    expect(await lab.run(["run", "hello"], { env })).toMatchObject({ code: 0, stdout: "local\n" });
  });
});

test("--sandbox on without a sandbox: nothing runs outside it, even in yolo, and a notice says so", async () => {
  const made = join(lab.folder, "made-outside");
  lab.script([answer(call("bash", { command: `echo x > ${made}` })), answer("I could not.")]);
  // Without a PATH, bubblewrap is not found.
  const args = ["run", "--sandbox", "on", "--permission", "yolo", "make it"];
  const { code, stderr } = await lab.run(args, { env: { PATH: "/nonexistent" } });
  expect({ code, made: existsSync(made) }).toEqual({ code: 6, made: false });
  expect(stderr).toContain("There is no sandbox here: ");
});

describe("sessions", () => {
  test("--continue and --resume continue a session; --no-session saves nothing", async () => {
    lab.script([answer("one"), answer("two"), answer("three"), answer("four")]);
    const first = resultOf((await lab.run(["run", "--output-json", "remember: blue"])).stdout);
    const second = resultOf((await lab.run(["run", "--output-json", "--continue", "again"])).stdout);
    expect(second.session_id).toBe(first.session_id);
    expect(lab.server.requests.at(-1)?.text).toContain("remember: blue");
    const resumed = await lab.run(["run", "--output-json", "-r", first.session_id.slice(0, 8), "more"]);
    expect(resultOf(resumed.stdout).session_id).toBe(first.session_id);
    const before = (await lab.run(["sessions"])).stdout;
    const unkept = resultOf((await lab.run(["run", "--output-json", "--no-session", "lost"])).stdout);
    expect(unkept.session_id).toBeNull();
    expect((await lab.run(["sessions"])).stdout).toBe(before);
  });

  test("the prompt is on disk before anything is sent", async () => {
    let journal = "";
    lab.script(() => {
      journal = readFileSync(newestJournal(), "utf8");
      return answer("ok");
    });
    await lab.run(["run", "the words of a person"]);
    expect(journal).toContain("the words of a person");
  });

  test("json lists what was repaired when the session was opened", async () => {
    const delivery = {
      pieces: "event",
      pauses: [{ beforeByte: 700, ms: Number.POSITIVE_INFINITY }],
    } as const;
    lab.script([{ ...answer(text("words that were cut off", 4)), delivery }, answer("ok")]);
    const running = lab.start(["run", "a killed request"]);
    while (!existsSync(newestJournal()) || !readFileSync(newestJournal(), "utf8").includes('"partial"'))
      await Bun.sleep(50);
    running.child.kill("SIGKILL");
    await running.ended;
    const { repairs } = resultOf((await lab.run(["run", "-c", "--output-json", "go on"])).stdout);
    const kinds = repairs.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toContain("kept-partial");
  });

  function newestJournal(): string {
    const folder = join(lab.home, ".local/share/tunacode/sessions");
    const files = [...new Bun.Glob("*.jsonl").scanSync(folder)].map((name) => join(folder, name));
    return files.sort((a, b) => Bun.file(b).lastModified - Bun.file(a).lastModified)[0] ?? "";
  }
});

describe("stdin", () => {
  test("- reads the prompt from stdin", async () => {
    lab.script([answer("ok")]);
    expect(await lab.run(["run", "-"], { stdin: "from the pipe" })).toMatchObject({
      code: 0,
      stdout: "ok\n",
    });
    expect(lab.server.requests.at(-1)?.text).toContain("from the pipe");
  });

  test("piped text follows the prompt, marked as data", async () => {
    lab.script([answer("ok")]);
    await lab.run(["run", "sum it up:"], { stdin: "a long text" });
    expect(lab.server.requests.at(-1)?.text).toMatch(
      /sum it up:(?:(?!a long).)*<outside source=\\"stdin\\" id=\\"(\w+)\\">\\na long text\\n<\/outside id=\\"\1\\">/,
    );
  });

  test("a silent pipe is ignored after a second, with a notice", async () => {
    lab.script([answer("ok")]);
    const running = lab.start(["run", "hello"], { stdin: "open" });
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: "ok\n" });
    expect(stderr).toContain("within 1 s");
  });
});

describe("signals", () => {
  const hanging = { ...answer("x"), delivery: { headersAfterMs: Number.POSITIVE_INFINITY } } as const;

  async function askedBy(args: readonly string[]) {
    lab.script([hanging]);
    const asked = lab.server.requests.length;
    const running = lab.start(["run", ...args]);
    while (lab.server.requests.length === asked) await Bun.sleep(10);
    return running;
  }

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "%s stops it cleanly and everything is saved",
    async (signal) => {
      const running = await askedBy(["--output", "json", `stop me with ${signal}`]);
      running.child.kill(signal);
      const { code, stdout } = await running.ended;
      expect(code).toBe(130);
      const result = resultOf(stdout);
      expect(result).toMatchObject({ success: false, outcome: "aborted", error: { code: "aborted" } });
      const shown = JSON.parse(
        (await lab.run(["sessions", "show", result.session_id, "--output", "json"])).stdout,
      );
      expect(JSON.stringify(shown.messages)).toContain(`stop me with ${signal}`);
      expect(JSON.stringify(shown.messages.at(-1))).toContain("[INTERRUPTED]");
    },
  );

  test("a second SIGINT exits at once, and the session on disk is valid", async () => {
    const running = await askedBy(["leave me"]);
    running.child.kill("SIGINT");
    running.child.kill("SIGINT");
    expect((await running.ended).code).toBe(130);
    lab.script([answer("back")]);
    expect(await lab.run(["run", "--continue", "are you there?"])).toMatchObject({
      code: 0,
      stdout: "back\n",
    });
  });

  test("a running bash command ends with it", async () => {
    const mark = join(lab.folder, "still-alive");
    lab.script([answer(call("bash", { command: `sleep 2; touch ${mark}` }))]);
    const running = lab.start(["run", "--permission", "yolo", "--output", "stream-json", "wait"]);
    await running.printed('"type":"tool-start"');
    running.child.kill("SIGINT");
    expect((await running.ended).code).toBe(130);
    await Bun.sleep(2_500);
    expect(existsSync(mark)).toBe(false);
  }, 15_000);
});
