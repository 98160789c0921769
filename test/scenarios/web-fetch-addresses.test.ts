// No spelling of an inside address is fetched: by number, by name, after DNS, after a redirect, by rebinding.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { publicNetwork, refuseAddress, type WebNetwork } from "../../src/tools/web-address.ts";
import { webFetch } from "../../src/tools/web-fetch.ts";
import { boundTool } from "../support/bound-tool.ts";
import { runTool } from "../support/run-tool.ts";

const LITERALS = `
127.0.0.1 127.0.0.2 127.255.255.254 127.1 127.0.1 0x7f.1 0x7f000001 0x7f.0x0.0x0.0x1 2130706433 017700000001
0177.0.0.1 0177.0.01 %31%32%37.0.0.1 ①②⑦.⓪.⓪.① 127。0。0。1 127.0.0.1. 0 0.0.0.0 0.1.2.3
10.0.0.1 10.255.255.255 0xa.1 167772161 172.16.0.1 172.31.255.255 2886729729 192.168.0.1 192.168.255.255 3232235521
169.254.169.254 169.254.0.1 0xa9fea9fe 2852039166 0251.0376.0251.0376 169.254.170.2
100.64.0.1 100.100.100.200 100.127.255.255 192.0.0.1 192.0.0.192 192.0.2.1 198.51.100.7 203.0.113.9
198.18.0.1 198.19.255.255 192.88.99.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 168.63.129.16
[::1] [::] [0:0:0:0:0:0:0:1] [::127.0.0.1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:10.0.0.1] [::ffff:169.254.169.254]
[0:0:0:0:0:ffff:c0a8:1] [::ffff:0:127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b::a9fe:a9fe] [64:ff9b:1::1] [2002:7f00:1::] [2002:a9fe:a9fe::1]
[2001:0:4136:e378:8000:63bf:3fff:fdd2] [fe80::1] [febf::1] [fec0::1] [fc00::1] [fd00:ec2::254] [fdff::1] [ff02::1] [2001:db8::1]
[3fff::1] [100::1] [2001:2::1] [5f00::1] [4000::1]
`;

const NAMES = `
localhost LOCALHOST localhost. foo.localhost printer.local metadata.google.internal db.internal router.lan intranet
nas.home.arpa host.localdomain kubernetes wiki.corp
`;

/** Public by name, inside by DNS; one of several is enough. */
const RESOLVED: Readonly<Record<string, readonly string[]>> = {
  "loopback.example.com": ["127.0.0.1"],
  "mixed.example.com": ["93.184.216.34", "10.0.0.5"],
  "metadata.example.com": ["169.254.169.254"],
  "six.example.com": ["::1"],
  "mapped.example.com": ["::ffff:127.0.0.1"],
  "local-six.example.com": ["fd12:3456::1"],
  "scoped.example.com": ["fe80::1%eth0"],
  "nowhere.example.com": [],
};

const SCHEMES = `file:///etc/passwd ftp://example.com/ gopher://127.0.0.1/ data:text/plain,x javascript:alert(1)
http:// //example.com/ example.com http://user:password@example.com/ unix:/var/run/docker.sock`;

const words = (text: string) => text.trim().split(/\s+/);

let canary: Server;
let visits = 0;

beforeAll(async () => {
  canary = createServer((_request, response) => {
    visits++;
    response.end("inside");
  });
  await new Promise<void>((resolve) => canary.listen(0, "127.0.0.1", resolve));
});
afterAll(() => canary.close());

const WORKSPACE = { root: "/", cwd: () => "/", setCwd: () => {} };
const port = (server: Server) => (server.address() as AddressInfo).port;
const unresolvable = async (host: string): Promise<readonly string[]> => {
  throw new Error(`${host} must not be looked up`);
};

async function refused(url: string, network: WebNetwork): Promise<void> {
  const before = visits;
  const { failed, text } = await runTool(boundTool(webFetch, { workspace: WORKSPACE, network }), { url });
  expect({ url, failed, visits }).toEqual({ url, failed: true, visits: before });
  expect(text).toMatch(/refused|not a URL|only http|has no address|password/);
}

describe("refused", () => {
  for (const host of [...words(LITERALS), ...words(NAMES)])
    test(host, async () => {
      await refused(`http://${host}:${port(canary)}/`, { ...publicNetwork, resolve: unresolvable });
    });

  for (const [host, addresses] of Object.entries(RESOLVED))
    test(`${host} -> ${addresses.join(", ")}`, async () => {
      await refused(`http://${host}:${port(canary)}/`, { ...publicNetwork, resolve: async () => addresses });
    });

  for (const url of words(SCHEMES))
    test(url, async () => {
      await refused(url, { ...publicNetwork, resolve: unresolvable });
    });
});

describe("public addresses are not refused", () => {
  for (const address of words(
    "1.1.1.1 8.8.8.8 93.184.216.34 172.32.0.1 100.128.0.1 2606:4700:4700::1111 2a00:1450:4001::1 ::ffff:8.8.8.8 64:ff9b::808:808",
  ))
    test(address, () => expect(refuseAddress(address)).toBeNull());
});

/** A network in which 127.0.0.9 counts as public, and nothing else does. */
async function withSite(
  handle: (url: string) => { status: number; location?: string },
  use: (at: number) => Promise<void>,
) {
  const site = createServer((request, response) => {
    const { status, location } = handle(request.url ?? "");
    response.writeHead(status, location === undefined ? {} : { location }).end("public");
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.9", resolve));
  try {
    await use(port(site));
  } finally {
    site.close();
  }
}
const almostPublic = (resolve: WebNetwork["resolve"]): WebNetwork => ({
  ...publicNetwork,
  resolve,
  refuseAddress: (address) => (address === "127.0.0.9" ? null : refuseAddress(address)),
});

// macOS has no other loopback address than 127.0.0.1 unless one is configured.
describe.skipIf(process.platform !== "linux")("redirects and rebinding", () => {
  const targets = (inside: string) => [
    inside,
    inside.replace("127.0.0.1", "localhost"),
    inside.replace("127.0.0.1", "[::ffff:127.0.0.1]"),
    inside.replace("127.0.0.1", "2130706433"),
    "http://169.254.169.254/latest/meta-data/",
    "file:///etc/passwd",
  ];
  for (const index of [0, 1, 2, 3, 4, 5])
    test(`a redirect inside is refused, ${index + 1}`, async () => {
      const location = targets(`http://127.0.0.1:${port(canary)}/`)[index] ?? "";
      await withSite(
        () => ({ status: 302, location }),
        (at) =>
          refused(
            `http://site.example.com:${at}/`,
            almostPublic(async () => ["127.0.0.9"]),
          ),
      );
    });

  test("a name is judged again after a redirect on the same host", async () => {
    const answers = [["127.0.0.9"], ["127.0.0.1"]];
    await withSite(
      () => ({ status: 302, location: "/again" }),
      (at) =>
        refused(
          `http://site.example.com:${at}/`,
          almostPublic(async () => answers.shift() ?? []),
        ),
    );
  });

  test("the address that was checked is the one that is connected to", async () => {
    let questions = 0;
    const network = almostPublic(async () => (questions++ === 0 ? ["127.0.0.9"] : ["127.0.0.1"]));
    await withSite(
      () => ({ status: 200 }),
      async (at) => {
        const tool = boundTool(webFetch, { workspace: WORKSPACE, network });
        expect((await runTool(tool, { url: `http://rebind.example.com:${at}/` })).text).toContain("public");
        expect(questions).toBe(1);
      },
    );
  });
});
