// What is noticed when a command lacked something in the sandbox, from the texts of the usual programs.
import { describe, expect, test } from "bun:test";
import { isIP } from "node:net";
import { VOCABULARY } from "../../test/support/asked-call.ts";
import { fakeDisk } from "../../test/support/fake-disk.ts";
import { seededRandom } from "../../test/support/random.ts";
import type { Verdict } from "../domain/permission.ts";
import type { PermissionContext } from "./context.ts";
import { parseRules } from "./rules.ts";
import type { Refusal } from "./sandboxed-command.ts";
import { type EndedCommand, findMissing, type Missing } from "./way-out.ts";
import { waysOut } from "./way-out-offers.ts";

const ROUNDS = process.env["TUNACODE_LONG"] === "1" ? 30_000 : 500;

const FILES = {
  "/p/a.txt": "a",
  "/p/.git/HEAD": "ref",
  "/home/me/.npm/_cacache/x": "x",
  "/home/me/.ssh/id_rsa": "k",
  "/home/me/.zsh/plugins/x": "x",
  "/home/me/notes.txt": "n",
  "/home/me/data/out/a.csv": "1",
  "/home/me/work/other/.git/HEAD": "ref",
  "/home/me/work/other/src/a.c": "1",
  "/home/me/tools/run": "1",
  "/home/me/out": "-> /home/me/.ssh",
  "/srv/models/m.bin": "1",
  "/etc/hosts": "h",
  "/dev/kvm": "",
  "/var/run/docker.sock": "",
};

function contextWith(...rules: readonly string[]): PermissionContext {
  const parsed = rules.flatMap((text) => {
    const [, verdict = "", pattern = ""] = /^(\w+) (.*)$/.exec(text) ?? [];
    return parseRules([pattern], verdict as Verdict, "command line", VOCABULARY).rules;
  });
  return {
    mode: "ask",
    rules: parsed,
    vocabulary: VOCABULARY,
    workspace: { root: "/p", cwd: "/p" },
    home: "/home/me",
    trusted: false,
    sandbox: true,
    disk: fakeDisk(FILES),
    environment: { PATH: "/usr/bin:/home/me/tools" },
  };
}

/** `host example.com` or `write /a/path`. */
function refusal(text: string): Refusal {
  const [, type, what = ""] = /^(\w+) (.*)$/s.exec(text) ?? [];
  return type === "host" ? { type, host: what, port: 443 } : { type: "write", path: what };
}

function missing(command: Partial<EndedCommand>, ...rules: readonly string[]): Missing | null {
  const ended = { script: "x", failed: true, output: "", refused: [], mayWrite: () => true, ...command };
  return findMissing(ended, contextWith(...rules));
}

/** In one line: hosts, then paths, then devices; `-` for nothing. */
function inShort(found: Missing | null): string {
  if (found === null) return "-";
  const { hosts, network, paths, devices } = found;
  return [...hosts, ...(network ? ["network"] : []), ...paths, ...devices].join(" ");
}

/** What a program prints -> what it lacked. */
const OUTPUTS: readonly (readonly [string, string])[] = [
  [
    'Traceback (most recent call last):\n  File "/home/me/.pyenv/lib/socket.py", line 232, in __init__\n    _socket.socket.__init__(self)\nPermissionError: [Errno 1] Operation not permitted',
    "a Unix socket",
  ],
  ["Error: listen EPERM: operation not permitted /tmp/tsx-0/17.pipe", "a Unix socket"],
  ["error connecting to /tmp/tmux-0/default (Operation not permitted)", "a Unix socket"],
  [
    'Traceback (most recent call last):\n  File "/home/me/tools/x.py", line 2, in f\n    os.chown(x)\nPermissionError: [Errno 1] Operation not permitted',
    "-",
  ],
  [
    "Error: EPERM: operation not permitted\n    at open (/home/me/tools/x.js:1:2)\n    at /home/me/tools/y.js:3:4",
    "-",
  ],
  [
    "npm error code ENOTFOUND\nnpm error network request to https://registry.npmjs.org/left-pad failed, reason: getaddrinfo ENOTFOUND registry.npmjs.org",
    "registry.npmjs.org",
  ],
  [
    "npm error request to https://registry.npmjs.org/x failed, reason: connect ECONNREFUSED 127.0.0.1:3128",
    "registry.npmjs.org",
  ],
  [
    "npm error code E403\nnpm error 403 403 Forbidden - GET https://registry.npmjs.org/left-pad",
    "registry.npmjs.org",
  ],
  [
    "npm error code EROFS\nnpm error syscall mkdir\nnpm error path /home/me/.npm/_cacache/tmp\nnpm error rofs EROFS: read-only file system, mkdir '/home/me/.npm/_cacache/tmp'",
    "/home/me/.npm/_cacache/tmp",
  ],
  [
    "npm error code ENOENT\nnpm error syscall mkdir\nnpm error path /home/me/.npm\nnpm error enoent Invalid response body while trying to fetch http://127.0.0.2:4873/x: ENOENT: no such file or directory, mkdir '/home/me/.npm'",
    "/home/me/.npm",
  ],
  [
    "npm error FetchError: request to http://127.0.0.2:4873/x failed, reason: connect ECONNREFUSED 127.0.0.1:3128",
    "127.0.0.2",
  ],
  ["error Error: getaddrinfo EAI_AGAIN registry.yarnpkg.com", "registry.yarnpkg.com"],
  [
    "ERR_PNPM_META_FETCH_FAIL  GET https://registry.npmjs.org/is-odd: request to https://registry.npmjs.org/is-odd failed, reason: getaddrinfo ENOTFOUND registry.npmjs.org",
    "registry.npmjs.org",
  ],
  ["error: ConnectionRefused downloading package manifest left-pad", "network"],
  [
    "WARNING: Retrying (Retry(total=4)) after connection broken by 'NewConnectionError(\"HTTPSConnection(host='pypi.org', port=443): Failed to establish a new connection: [Errno -3] Temporary failure in name resolution\")': /simple/x/",
    "pypi.org",
  ],
  [
    "ProxyError('Cannot connect to proxy.', OSError('Tunnel connection failed: 403 Forbidden'))\nERROR: Could not find a version: https://pypi.org/simple/x/",
    "pypi.org",
  ],
  ["OSError: [Errno 30] Read-only file system: '/home/me/.cache/huggingface'", "/home/me/.cache/huggingface"],
  [
    'go: github.com/a/b@v1.0.0: Get "https://proxy.golang.org/github.com/a/b/@v/v1.0.0.mod": dial tcp: lookup proxy.golang.org on 10.0.0.2:53: read udp: connection refused',
    "proxy.golang.org",
  ],
  [
    "failed to initialize build cache at /home/me/.cache/go-build: mkdir /home/me/.cache/go-build: read-only file system",
    "/home/me/.cache/go-build",
  ],
  [
    "error: failed to get `serde` as a dependency\n\nCaused by:\n  failed to query replaced source registry `crates-io`\n\nCaused by:\n  download of config.json failed\n\nCaused by:\n  [6] Could not resolve hostname (Could not resolve host: index.crates.io)",
    "index.crates.io",
  ],
  [
    "error: failed to open: /home/me/.cargo/registry/cache/x.crate\n\nCaused by:\n  Read-only file system (os error 30)",
    "/home/me/.cargo/registry/cache/x.crate",
  ],
  ["fatal: unable to access 'https://github.com/a/b/': Could not resolve host: github.com", "github.com"],
  ["curl: (56) CONNECT tunnel failed, response 403", "network"],
  ["wget: unable to resolve host address ‘example.com’", "example.com"],
  [
    "Err:1 http://deb.debian.org/debian stable InRelease\n  Temporary failure resolving 'deb.debian.org'",
    "deb.debian.org",
  ],
  [
    "Could not GET 'https://repo.maven.apache.org/maven2/a.pom'. Unknown host 'repo.maven.apache.org'",
    "repo.maven.apache.org",
  ],
  [
    "error: error sending request for url (https://pypi.org/simple/x/): dns error: failed to lookup address information",
    "pypi.org",
  ],
  [
    'psql: error: connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused',
    "network",
  ],
  ["Error: connect ECONNREFUSED 127.0.0.1:5432", "127.0.0.1"],
  ["/usr/local/bin/npm: 6: cannot create /home/me/x: Read-only file system", "/home/me/x"],
  ["ssh: Could not resolve hostname github.com: Temporary failure in name resolution", "github.com"],
  ["ssh: connect to host github.com port 22: Network is unreachable", "github.com"],
  ["touch: cannot touch '/home/me/x': Read-only file system", "/home/me/x"],
  ["bash: line 1: /home/me/x: Read-only file system", "/home/me/x"],
  ["fatal: Unable to create '/p/.git/index.lock': Read-only file system", "/p/.git/index.lock"],
  [
    "Could not access KVM kernel module: No such file or directory\nqemu: failed to open /dev/kvm",
    "/dev/kvm",
  ],
  [
    "permission denied while trying to connect to the docker daemon socket at unix:///var/run/docker.sock",
    "docker daemon /var/run/docker.sock",
  ],
  ["open /dev/ttyUSB0: no such file or directory", "-"],
  ["FAIL src/a.test.ts: expected 1, received 2", "-"],
  ["a.txt: Permission denied", "-"],
  ["cannot write /dev/null, /tmp/x: Read-only file system", "-"],
];

describe("a command that failed", () => {
  test.each(OUTPUTS)("%s", (output, expected) => {
    expect(inShort(missing({ output }))).toBe(expected);
  });

  test("behind a pipe has exit code 0, and its output tells", () => {
    const output = "npm error getaddrinfo ENOTFOUND registry.npmjs.org";
    const piped = { script: "npm install x 2>&1 | tail -3", failed: false, output };
    expect(inShort(missing(piped))).toBe("registry.npmjs.org");
    expect(missing({ ...piped, script: "npm install x" })).toBeNull();
    expect(missing({ ...piped, output: "ok: it survives ECONNREFUSED 127.0.0.1:4000" })).toBeNull();
  });

  test("an answer that the sandbox's proxy gave in the host's place counts, though curl is content with it", () => {
    const blocked = {
      script: "curl -s http://example.com/x",
      failed: false,
      output: "Connection blocked by network allowlist\n",
      refused: [refusal("host example.com")],
    };
    expect(inShort(missing(blocked))).toBe("example.com");
    expect(missing({ ...blocked, output: "hello\n" })).toBeNull();
  });

  test("says nothing, but the monitor noticed", () => {
    expect(inShort(missing({ refused: [refusal("host example.com"), refusal("write /srv/models/x")] }))).toBe(
      "example.com /srv/models/x",
    );
  });

  test("names no host: the command does", () => {
    const output = "curl: (7) Failed to connect to localhost port 3128: Connection refused";
    expect(inShort(missing({ script: "curl https://a.example.com/x", output }))).toBe("a.example.com");
  });

  test("failed for another reason, so what it was refused doesn't matter", () => {
    const refused = [refusal("host telemetry.example.com"), refusal("write /home/me/.pyenv/lib/x.pyc")];
    expect(missing({ output: "1 failed, 3 passed", refused })).toBeNull();
    expect(missing({ output: "done", failed: false, refused })).toBeNull();
    const log = refusal("write /home/me/.npm/_logs");
    const complaint =
      'npm error Missing script: "x"\nnpm error Log files were not written due to an error writing to the directory: /home/me/.npm/_logs';
    expect(missing({ output: complaint, refused: [log] })).toBeNull();
    // What it complains about counts, and not what it tried besides.
    const output = "Could not download https://cdn.example.com/x";
    expect(inShort(missing({ output, refused: [...refused, refusal("host cdn.example.com")] }))).toBe(
      "cdn.example.com",
    );
  });

  test("succeeded, and speaks of what it was refused", () => {
    const output = "warning: models.example.com can't be reached, using the old model";
    expect(inShort(missing({ output, failed: false, refused: [refusal("host models.example.com")] }))).toBe(
      "models.example.com",
    );
  });

  test("could not write there outside either", () => {
    expect(
      missing({ output: "touch: cannot touch '/x/y': Read-only file system", mayWrite: () => false }),
    ).toBeNull();
  });
});

describe("what is offered", () => {
  const open = (refused: readonly string[], ...rules: readonly string[]) => {
    const found = missing({ output: "", refused: refused.map(refusal) }, ...rules);
    return [...(found?.openHosts ?? []), ...(found?.openFolders ?? [])].join(" ");
  };
  test.each([
    ["host example.com", "example.com"],
    ["host EXAMPLE.com.", "example.com"],
    ["host 93.184.216.34", "93.184.216.34"],
    ["host 127.0.0.2", "127.0.0.2"],
    ["write /home/me/.npm/_cacache/tmp/x", "/home/me/.npm/_cacache /home/me/.npm/_logs"],
    ["write /home/me/.cargo", "/home/me/.cargo/registry /home/me/.cargo/git"],
    ["write /home/me/.cache/go-build/00", "/home/me/.cache/go-build /home/me/go/pkg/mod"],
    ["write /home/me/data/out/new/b.csv", "/home/me/data/out"],
    ["write /srv/models/x", "/srv/models"],
  ])("%s -> %s", (refused, expected) => {
    expect(open([refused])).toBe(expected);
  });

  test.each([
    "host 169.254.169.254",
    "host ::ffff:169.254.169.254",
    "host fe80::1",
    "host metadata.google.internal",
    "host 0x7f000001",
    "host 127.1",
    "host 0.0.0.0",
    "host localhost",
    "host 127.0.0.1",
    "host 10.1.2.3",
    "host a\u001b[2Jb.com",
    "host a b.com",
    "host -x.com",
    "host a..com",
    `host ${"a".repeat(64)}.com`,
    "write /home/me/.ssh/authorized_keys",
    "write /home/me/out/authorized_keys",
    "write /home/me/.bashrc",
    "write /home/me/x",
    "write /home/me/.zsh/plugins/y",
    "write /home/me/.npm/_npx/x",
    "write /home/me/.cargo/bin/x",
    "write /home/me/.cache/tunacode/bin/x",
    "write /home/me/.config/x/y",
    "write /home/me/work/other/new.c",
    "write /home/me/tools/x",
    "write /home/me/../../etc/passwd",
    "write /home/me/data/out/../../.ssh/x",
    "write /etc/hosts",
    "write /usr/lib/x",
    "write /x",
    "write /srv/missing/x",
    "write /p/.git/hooks/pre-commit",
    "write /p/.vscode/tasks.json",
    "write relative/path",
    "write /srv/models/a\u001b[2Jb/x",
  ])("never: %s", (refused) => {
    expect(open([refused])).toBe("");
  });

  test("nothing that a rule forbids, and that alone is not asked about", () => {
    expect(open(["host a.example.com"], "deny web_fetch(*.example.com)")).toBe("");
    expect(open(["host a.example.com"], "deny connect(a.example.com)")).toBe("");
    expect(open(["write /srv/models/x"], "deny write(/srv/**)")).toBe("");
    const found = missing({ refused: [refusal("host a.example.com")] }, "deny connect(a.example.com)");
    expect(found).toMatchObject({ hosts: [], network: false, forbidden: ["a.example.com"] });
  });

  test("the caches that it tried besides, because it would miss them next", () => {
    const refused = [refusal("write /home/me/.cargo/registry/x"), refusal("write /home/me/.pyenv/x.pyc")];
    const found = missing({ output: "Could not resolve host: index.crates.io", refused });
    expect(found).toMatchObject({
      paths: [],
      openFolders: ["/home/me/.cargo/registry", "/home/me/.cargo/git"],
    });
  });

  test("not the folders above it, which a program tries to make first", () => {
    const tried = ["/home", "/home/me", "/home/me/.cache", "/home/me/.cache/pip"];
    const output = "Read-only file system: '/home/me/.cache/pip/http'";
    const found = missing({ output, refused: tried.map((path) => ({ type: "write", path })) });
    expect(found).toMatchObject({
      paths: ["/home/me/.cache/pip/http"],
      openFolders: ["/home/me/.cache/pip"],
    });
  });

  test("a few things at most, whatever the monitor says", () => {
    const refused = Array.from({ length: 100 }, (_, index) => [
      `host h${index}.com`,
      `write /srv/models/${index}/x`,
    ]);
    const found = missing({ refused: refused.flat().map(refusal) });
    expect([found?.hosts.length, found?.paths.length, found?.openFolders]).toEqual([3, 3, ["/srv/models"]]);
  });

  test("in an order that can be read: all of it, its parts, and outside", () => {
    const refused = [refusal("host registry.npmjs.org"), refusal("write /home/me/.npm/_cacache/x")];
    const found = missing({ refused });
    if (found === null) throw new Error("nothing was noticed");
    const demands = [{ type: "shell" as const, command: "npm install", folder: "/p", env: {} }];
    const ways = waysOut(found, { toolName: "bash", demands }, contextWith());
    expect(
      ways.map(({ offer, sandboxed }) => `${sandboxed} ${offer.lasts} ${offer.rules.join(" ")}`),
    ).toEqual([
      "true once connect(registry.npmjs.org) write(~/.npm/_cacache/**) write(~/.npm/_logs/**)",
      "true session connect(registry.npmjs.org) write(~/.npm/_cacache/**) write(~/.npm/_logs/**)",
      "true always connect(registry.npmjs.org) write(~/.npm/_cacache/**) write(~/.npm/_logs/**)",
      "true session connect(registry.npmjs.org)",
      "true session write(~/.npm/_cacache/**) write(~/.npm/_logs/**)",
      "false session bash(npm install)",
    ]);
  });
});

/** The only folders on this disk that a person may be offered. */
const ORDINARY = ["/home/me/data", "/home/me/data/out", "/home/me/work/other/src", "/srv/models"];
const CACHE =
  /^\/home\/me\/(\.npm\/_(cacache|logs)|\.cargo\/(registry|git)|go\/pkg\/mod|(\.cache|Library\/Caches)\/go-build)$/;
const NAMES =
  "/ / home me .. . data out work other src .git hooks .ssh id_rsa .npm _cacache _npx .cargo registry bin go pkg mod .cache go-build tunacode .bashrc .config .zsh tools etc usr srv models p .vscode dev null ~ * (x) \u001b[2J \u202e ' \n a b x".split(
    " ",
  );
const HOSTS =
  "a b example com . . .. - : [ ] 127 0 1 2 169 254 10 192 168 0x7f :: fe80 ffff metadata google internal localhost * @ / \u001b \u202e \n xn--a".split(
    " ",
  );

test("of whatever a command makes up, nothing is offered that must not be", () => {
  const random = seededRandom(16);
  const some = (from: readonly string[], most: number) =>
    Array.from({ length: 1 + random.below(most) }, () => random.pick(from));
  let offered = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const path = `/${some(NAMES, 7).join("/")}`;
    const host = some(HOSTS, 7).join(random.below(2) === 0 ? "." : "");
    const refused: Refusal[] = [
      { type: "write", path },
      { type: "host", host, port: 443 },
    ];
    const output = random.below(2) === 0 ? "" : `ENOTFOUND ${host}\nRead-only file system: '${path}'`;
    const found = missing({ refused: random.below(4) === 0 ? [] : refused, output });
    for (const folder of found?.openFolders ?? []) {
      offered++;
      if (!ORDINARY.includes(folder) && !CACHE.test(folder)) throw new Error(`${folder} for ${path}`);
    }
    for (const open of found?.openHosts ?? []) {
      offered++;
      const isName =
        /^[a-z0-9.-]+$/.test(open) && !/^metadata(\.google\..*)?$|^localhost$|(^|\.)[\d.]+$/.test(open);
      const isAddress =
        isIP(open) !== 0 && !/^(0\.|10\.|127\.0\.0\.1$|169\.254\.|192\.168\.|fe80:|::)/.test(open);
      if (!isName && !isAddress) throw new Error(`${open} for ${host}`);
    }
  }
  expect(offered).toBeGreaterThan(ROUNDS / 100);
}, 300_000);

test("a hostile output of any size is read in time", () => {
  const started = performance.now();
  for (const piece of ["could not resolve ", "https://a@", "'/", "/dev/", "request to ", "EROFS ~/"])
    missing({ output: piece.repeat(30_000 / piece.length) + "\n".repeat(1_000) });
  for (const piece of ["ENOTFOUND a.b\n", "EROFS: '/home/me/x/y'\n", "failed /dev/x\n"])
    missing({ output: piece.repeat(2_000) });
  expect(performance.now() - started).toBeLessThan(2_000);
});
