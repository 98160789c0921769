// Programs that need caches in the home folder and a registry, in the real sandbox: the person is asked once, and then
// they work. Through the app in this process, and through the shipped binary in a terminal.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
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
import { answer, call } from "../support/strict-llm-server/turn.ts";
import { hasTmux, startTmux } from "../support/tmux.ts";

const TIMEOUT_MS = 60_000;
/** Similar to how the sandbox starts it. Some containers forbid a new /proc. */
const BUBBLE = "--ro-bind / / --dev /dev --unshare-all --unshare-user --proc /proc true".split(" ");
const whyNot = missingTool() ?? missingPlace();
if (whyNot !== null) console.log(`skipped: the way out of the sandbox can't be tried (${whyNot})`);

function missingTool(): string | null {
  if (spawnSync("bwrap", BUBBLE).status !== 0) return "bubblewrap doesn't work here";
  return (
    ["socat", "curl"].find((name) => spawnSync(name, ["-V"]).status !== 0)?.concat(" is missing") ?? null
  );
}

/** Inside the sandbox, temporary folders are private ones. */
function missingPlace(): string | null {
  try {
    accessSync(homedir(), constants.W_OK);
    return `${homedir()}/`.startsWith(`${tmpdir()}/`) ? "the home folder is a temporary one" : null;
  } catch {
    return "the home folder can't be written";
  }
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
  const base = realpathSync(mkdtempSync(join(homedir(), "tunacode-way-out-")));
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

describe.skipIf(whyNot !== null)("in the real sandbox", () => {
  test.each([
    ["npm install left-pad", "added 1 package", ".npm/_cacache/left-pad", inside("session")],
    ["npm install left-pad 2>&1 | tail -3", "added 1 package", ".npm/_cacache/left-pad", inside("always")],
    ["cargo build", "Finished", ".cargo/registry/cache/serde.crate", inside("once")],
    ["go test ./...", "ok  \texample.com/a", "go/pkg/mod/cache/x", outside],
    ["pytest -q", "1 passed", ".cache/huggingface/hub/model", inside("session")],
  ])(
    "%s is asked about once, then works",
    async (command, success, cached, person) => {
      const { run, questions } = await open(person, [command]);
      const [result] = await run();
      expect(result?.text).toContain(success);
      expect(result?.text).toContain("It ran twice");
      expect(questions).toHaveLength(1);
      expect(existsSync(join(place.home, cached))).toBe(true);
    },
    TIMEOUT_MS,
  );

  test(
    "what is allowed for the session needs no second question, and opens nothing else",
    async () => {
      const other = await startRegistry();
      try {
        const { run, questions } = await open(inside("session"), [
          "npm install left-pad",
          "npm install left-pad",
          `sh -c 'touch ~/.npm/_npx || touch ~/escaped || curl -sS -f ${other.url.replace(REGISTRY_HOST, "127.0.0.3")}'`,
        ]);
        const results = await run();
        expect(results[1]?.text).toStartWith("added 1 package");
        expect(results[2]?.text).toContain("Read-only file system");
        expect(questions[0]?.offers.map(({ rules }) => rules)).toContainEqual([
          `connect(${REGISTRY_HOST})`,
          "write(~/.npm/_cacache/**)",
          "write(~/.npm/_logs/**)",
        ]);
        expect([existsSync(join(place.home, ".npm/_npx")), existsSync(join(place.home, "escaped"))]).toEqual([
          false,
          false,
        ]);
        expect(other.asked).toEqual([]);
      } finally {
        await other.close();
      }
    },
    TIMEOUT_MS,
  );

  const hasNpm = spawnSync("npm", ["--version"]).status === 0;
  test.skipIf(!hasNpm)(
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

  const hasNode = spawnSync("node", ["--version"]).status === 0;
  test.skipIf(!hasNode)(
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

describe.skipIf(whyNot !== null || !isThere)("the shipped binary in a terminal", () => {
  let lab: CliLab;
  beforeAll(async () => {
    lab = await openCliLab();
  }, TIMEOUT_MS);
  afterAll(() => lab?.close());

  test.each([
    ["npm install left-pad", "added 1 package"],
    ["pytest -q", "1 passed"],
  ])(
    "%s is asked about once, then works",
    async (command, success) => {
      const env = { ...lab.env, HOME: place.home, PATH: place.path };
      lab.script([answer(call("bash", { command })), answer("all is done")]);
      const tmux = startTmux({ env, cwd: place.project });
      try {
        tmux.resize(120, 50);
        await tmux.see(/\$\s*$/);
        tmux.type(`${lab.binary} -m openai:gpt-5.4 --sandbox on; echo code $?`);
        tmux.keys("Enter");
        await tmux.see(/ask · openai/);
        tmux.type("go");
        tmux.keys("Enter");
        const asked = await tmux.see("failed inside the sandbox");
        expect(asked).toContain(REGISTRY_HOST);
        // A question takes no key of a person who is still typing.
        await Bun.sleep(1_000);
        tmux.keys("y");
        const screen = await tmux.see("all is done");
        expect(screen).toContain(success);
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
