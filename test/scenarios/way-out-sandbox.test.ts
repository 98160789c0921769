// Programs that need caches in the home folder and a registry, in the real sandbox: the person is asked once, and then
// they work. Through the app in this process, and through the shipped binary in a terminal.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { openAgent } from "../../src/app/compose.ts";
import { runRequest } from "../../src/app/run-request.ts";
import { contentText } from "../../src/domain/content.ts";
import type { PermissionQuestion, PersonAnswer } from "../../src/domain/permission.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import {
  REGISTRY_HOST,
  type Registry,
  startRegistry,
  writePackagePrograms,
} from "../support/package-programs.ts";
import { type CliLab, openCliLab } from "../support/running-binary.ts";
import { SANDBOX_PLACE, whyNoSandbox } from "../support/sandbox-ground.ts";
import { answer, call } from "../support/strict-llm-server/turn.ts";
import { hasTmux, startTmux } from "../support/tmux.ts";

const LONG = process.env["TUNACODE_LONG"] === "1";
const TIMEOUT_MS = 60_000;
const whyNot = whyNoSandbox ?? (has("curl") ? null : "curl is missing");
if (whyNot !== null) console.log(`skipped: the way out of the sandbox can't be tried (${whyNot})`);

function has(program: string): boolean {
  return spawnSync(program, ["--version"]).status === 0;
}

interface Place {
  readonly base: string;
  readonly home: string;
  readonly project: string;
  readonly path: string;
}

let registry: Registry;
let place: Place;

/** An empty home folder for each test: no cache exists yet. */
function makePlace(): Place {
  const base = realpathSync(mkdtempSync(join(SANDBOX_PLACE, "tunacode-way-out-")));
  const [home, project, programs] = ["home", "project", "programs"].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [home, project]) mkdirSync(folder);
  writePackagePrograms(programs, registry.url);
  return { base, home, project, path: [programs, process.env["PATH"]].join(delimiter) };
}

beforeAll(async () => {
  if (whyNot === null) registry = await startRegistry();
});
afterAll(async () => await registry?.close());
beforeEach(() => {
  if (whyNot !== null) return;
  place = makePlace();
});
afterEach(() => {
  if (whyNot === null) rmSync(place.base, { recursive: true, force: true });
});

interface Run {
  readonly text: string;
  readonly details: unknown;
}

type Answers = (question: PermissionQuestion) => PersonAnswer;

/** An agent with a person, and what they were asked. */
async function open(
  person: Answers,
  commands: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const { project: cwd, home, path } = place;
  const questions: PermissionQuestion[] = [];
  const turns = [...commands.map((command) => [{ call: "bash", args: { command } }]), [{ text: "done" }]];
  const model = scriptedModel({ turns });
  const agent = await openAgent({
    cwd,
    env: { HOME: home, PATH: path, ...env },
    session: { type: "none" },
    models: { scripted: model },
    permission: { mode: "ask", rules: [], sandbox: "on" },
    trusted: false,
    notify: (text) => {
      throw new Error(text);
    },
    person: {
      askPermission: async (question) => {
        questions.push(question);
        return person(question);
      },
      askToGoOn: async () => false,
      askAboutPlan: async () => "",
    },
  });
  const run = async (): Promise<readonly Run[]> => {
    const before = { ...process.env };
    // npx sets a cache for the npm inside it.
    for (const name of Object.keys(before)) if (/^npm_config_/i.test(name)) delete process.env[name];
    Object.assign(process.env, { HOME: home, PATH: path });
    try {
      for await (const _event of runRequest("go", model, agent.manager));
      return agent.manager.session.conversation.messages
        .flatMap(({ parts }) => [...parts])
        .flatMap((part) =>
          part.kind === "tool-return" ? [{ text: contentText(part.content), details: part.details }] : [],
        );
    } finally {
      Object.assign(process.env, before);
      await agent.close();
    }
  };
  return { run, questions };
}

const outside: Answers = () => ({ type: "once" });
const inside =
  (lasts: string): Answers =>
  ({ offers }) => ({
    type: "offer",
    offer: offers.findIndex((each) => each.lasts === lasts && each.label.startsWith("inside")),
  });

/** command -> what it prints when it works, what is then in the home folder, and what the person says to it. */
const PROGRAMS: Readonly<Record<string, readonly [string, string, Answers]>> = {
  "npm install left-pad": ["added 1 package", ".npm/_cacache/left-pad", inside("once")],
  "npm install left-pad 2>&1 | tail -3": ["added 1 package", ".npm/_cacache/left-pad", inside("session")],
  "cargo build": ["Finished", ".cargo/registry/cache/serde.crate", inside("once")],
  "go test ./...": ["ok  \texample.com/a", "go/pkg/mod/cache/x", outside],
  "pytest -q": ["1 passed", ".cache/huggingface/hub/model", inside("always")],
};

describe.skipIf(whyNot !== null)("in the real sandbox", () => {
  test(
    "npm, cargo, go and pytest are asked about once each, then work",
    async () => {
      const answered = (question: PermissionQuestion) => {
        const [, , person = outside] = PROGRAMS[question.command?.script ?? ""] ?? [];
        return person(question);
      };
      // What the earlier ones were allowed for good would help the later ones, so that comes last.
      const order = ["npm install left-pad", "cargo build", "go test ./...", ...Object.keys(PROGRAMS)];
      const commands = [...new Set(order)];
      const { run, questions } = await open(answered, commands);
      const results = await run();
      expect(questions.map(({ command }) => command?.script)).toEqual(commands);
      for (const [index, command] of commands.entries()) {
        const [success = "", cached = ""] = PROGRAMS[command] ?? [];
        expect(results[index]?.text).toContain(success);
        expect(results[index]?.text).toContain("It ran twice");
        expect(existsSync(join(place.home, cached))).toBe(true);
      }
    },
    TIMEOUT_MS,
  );

  test(
    "what is allowed for the session needs no second question, and opens nothing else",
    async () => {
      const other = await startRegistry(undefined, "127.0.0.3");
      try {
        const script = `touch ~/.npm/_npx || touch ~/escaped || curl -sS -f -m 5 ${other.url}`;
        writeFileSync(join(place.project, "tries.sh"), script);
        const tries = "sh tries.sh";
        const { run, questions } = await open(
          (question) => (question.command?.script === tries ? { type: "deny" } : inside("session")(question)),
          ["npm install left-pad", "npm install left-pad", tries],
        );
        const results = await run();
        expect(results[1]?.text).toStartWith("added 1 package");
        expect(results[2]?.text).toContain("Read-only file system");
        expect(questions.map(({ command }) => command?.script)).toEqual(["npm install left-pad", tries]);
        expect(questions[0]?.offers.map(({ rules }) => rules)).toContainEqual([
          `connect(${REGISTRY_HOST})`,
          "write(~/.npm/_cacache/**)",
          "write(~/.npm/_logs/**)",
        ]);
        const escaped = [".npm/_npx", "escaped"].filter((name) => existsSync(join(place.home, name)));
        expect([escaped, other.asked]).toEqual([[], []]);
      } finally {
        await other.close();
      }
    },
    TIMEOUT_MS,
  );

  test.skipIf(!LONG || !has("npm"))(
    "the real npm is asked about once, then installs",
    async () => {
      const packed = packTarball(place.base);
      const server = await startRegistry((path, url) => {
        if (path.endsWith(".tgz")) return packed.bytes;
        return path === "/left-pad" ? packed.manifest(url) : "{}";
      });
      try {
        rmSync(join(place.base, "programs/npm"));
        writeFileSync(join(place.project, "package.json"), "{}");
        const { run, questions } = await open(inside("once"), [
          `npm install left-pad --registry ${server.url}`,
        ]);
        const [result] = await run();
        expect(result?.text).toContain("added 1 package");
        expect(questions).toHaveLength(1);
        expect(existsSync(join(place.project, "node_modules/left-pad/index.js"))).toBe(true);
        expect(existsSync(join(place.home, ".npm/_cacache/index-v5"))).toBe(true);
      } finally {
        await server.close();
      }
    },
    TIMEOUT_MS,
  );

  test.skipIf(!LONG || !has("node"))(
    "a program that doesn't use the proxy works outside",
    async () => {
      const script = `fetch("${registry.url}/x").then((r) => r.text()).then(console.log)`;
      writeFileSync(join(place.project, "get.mjs"), script);
      const { run, questions } = await open(outside, ["node get.mjs"]);
      const [result] = await run();
      expect(result?.text).toStartWith("module.exports");
      expect(questions).toHaveLength(1);
    },
    TIMEOUT_MS,
  );
});

const isThere = hasTmux();
if (whyNot === null && !isThere) console.log("skipped: the way out in a real terminal needs tmux");

describe.skipIf(whyNot !== null)("the shipped binary", () => {
  let lab: CliLab;
  beforeAll(async () => {
    lab = await openCliLab();
  }, TIMEOUT_MS);
  afterAll(() => lab?.close());

  test(
    "says without a person which rules would help, and they do",
    async () => {
      const env = { HOME: place.home, PATH: place.path };
      const install = async (...flags: readonly string[]) => {
        lab.script([answer(call("bash", { command: "npm install left-pad" })), answer("done")]);
        const args = ["run", "go", "-m", "openai:gpt-5.4", "--sandbox", "on", "--output", "json", ...flags];
        const { stdout } = await lab.run(args, { cwd: place.project, env });
        return JSON.stringify(JSON.parse(stdout).messages);
      };
      const refused = await install();
      const rules = [...refused.matchAll(/--allow '([^']+)'/g)].map(([, rule = ""]) => rule);
      const wanted = [`connect(${REGISTRY_HOST})`, "write(~/.npm/_cacache/**)", "write(~/.npm/_logs/**)"];
      expect([...new Set(rules)]).toEqual(wanted);
      const allowed = await install(...wanted.flatMap((rule) => ["--allow", rule]));
      expect(allowed).toContain("added 1 package");
      expect(allowed).not.toContain("It ran twice");
    },
    TIMEOUT_MS,
  );

  test.skipIf(!isThere)(
    "asks in a terminal once about npm and once about pytest, then they work",
    async () => {
      const env = { ...lab.env, HOME: place.home, PATH: place.path };
      const calls = ["npm install left-pad", "pytest -q"].map((command) => call("bash", { command }));
      lab.script([...calls.map((each) => answer(each)), answer("all is done")]);
      const tmux = startTmux({ env, cwd: place.project });
      try {
        tmux.resize(120, 50);
        await tmux.see(/\$\s*$/);
        tmux.type(`${lab.binary} -m openai:gpt-5.4 --sandbox on; echo code $?`);
        tmux.keys("Enter");
        await tmux.see(/ask · openai/);
        tmux.type("go");
        tmux.keys("Enter");
        for (const missing of ["~/.npm/_logs", "~/.cache/huggingface"]) {
          const asked = await tmux.see(missing);
          expect(asked).toContain("failed inside the sandbox");
          expect(asked).toContain(REGISTRY_HOST);
          // A question takes no key of a person who is still typing, and says so in its last line.
          await tmux.see(/╰─\n/);
          tmux.keys("y", "Enter");
        }
        const screen = await tmux.see("all is done");
        for (const success of ["added 1 package", "1 passed"]) expect(screen).toContain(success);
        tmux.keys("C-c", "C-c");
        await tmux.see("code 0");
      } finally {
        tmux.kill();
      }
    },
    TIMEOUT_MS,
  );
});

/** A package as a registry hands it out. */
function packTarball(folder: string) {
  const content = join(folder, "package");
  mkdirSync(content);
  writeFileSync(join(content, "package.json"), '{"name":"left-pad","version":"1.0.0"}');
  writeFileSync(join(content, "index.js"), "module.exports = 1;\n");
  const { stdout } = spawnSync("tar", ["cz", "-C", folder, "package"], { encoding: "buffer" });
  const integrity = `sha512-${createHash("sha512").update(stdout).digest("base64")}`;
  const version = (url: string) => ({
    name: "left-pad",
    version: "1.0.0",
    dist: { tarball: `${url}/left-pad-1.0.0.tgz`, integrity },
  });
  const manifest = (url: string) =>
    JSON.stringify({
      name: "left-pad",
      "dist-tags": { latest: "1.0.0" },
      versions: { "1.0.0": version(url) },
    });
  return { bytes: stdout, manifest };
}
