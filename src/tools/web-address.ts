// The addresses web_fetch may connect to: public unicast only. Anything that leads to this machine, its network or its
// cloud provider's services is refused, however it is written.
import { lookup } from "node:dns/promises";
import { BlockList, isIPv4, isIPv6 } from "node:net";

/** How web_fetch reaches the network: it resolves names and checks every address before anything connects. */
export interface WebNetwork {
  /** All addresses of a name. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  /** The reason why a name or an address must not be reached; null if it may. */
  readonly refuseHostName: (host: string) => string | null;
  readonly refuseAddress: (address: string) => string | null;
  /** Certificates to trust in addition to the system's. */
  readonly certificates?: readonly string[];
}

export const publicNetwork: WebNetwork = {
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  refuseHostName,
  refuseAddress,
};

/** The reason for refusing an address, in a word; null for a public one. */
export function refuseAddress(address: string): string | null {
  const plain = address.replace(/%.*$/, "");
  if (isIPv4(plain)) return reasonIn(V4, plain, "ipv4");
  return isIPv6(plain) ? refuseV6(plain) : "not an address";
}

/** Refuses names of nearby machines, regardless of what DNS says about them. */
export function refuseHostName(host: string): string | null {
  const name = host.toLowerCase().replace(/\.+$/, "");
  if (LOCAL_NAME.test(name)) return "a local name";
  // A name without a dot belongs to the local network. (Literal addresses are checked as addresses.)
  return name.includes(".") || name.includes(":") ? null : "a name without a domain";
}

const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|lan|home\.arpa|localdomain|intranet|corp|home)$/;

function refuseV6(address: string): string | null {
  // Both prefixes embed an IPv4 address. A network without IPv4 reaches it through the second.
  if (MAPPED.check(address, "ipv6") || NAT64.check(address, "ipv6"))
    return reasonIn(V4, embeddedV4(address), "ipv4");
  return reasonIn(V6, address, "ipv6") ?? (GLOBAL_UNICAST.check(address, "ipv6") ? null : "reserved");
}

/** The last 32 bits. The URL parser normalises every spelling to hexadecimal groups, and these come after its gap. */
function embeddedV4(address: string): string {
  const { hostname } = new URL(`http://[${address}]`);
  const groups = hostname.slice(1, -1).split("::").at(-1)?.split(":") ?? [];
  const [low = 0, high = 0] = groups.reverse().map((group) => Number.parseInt(group, 16) || 0);
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

function reasonIn(lists: readonly Reason[], address: string, family: "ipv4" | "ipv6"): string | null {
  return lists.find(({ list }) => list.check(address, family))?.reason ?? null;
}

interface Reason {
  readonly reason: string;
  readonly list: BlockList;
}

function blockList(family: "ipv4" | "ipv6", ...networks: string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

const v4 = (reason: string, ...networks: string[]) => ({ reason, list: blockList("ipv4", ...networks) });
const v6 = (reason: string, ...networks: string[]) => ({ reason, list: blockList("ipv6", ...networks) });

// The IANA special-purpose registries, and addresses that cloud providers reserve for themselves.
const V4: readonly Reason[] = [
  v4("loopback", "127.0.0.0/8"),
  v4("unspecified", "0.0.0.0/8"),
  v4("private", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"),
  v4("link-local", "169.254.0.0/16"),
  v4("shared by a carrier", "100.64.0.0/10"),
  v4("multicast", "224.0.0.0/4"),
  v4("documentation", "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"),
  v4("for benchmarks", "198.18.0.0/15"),
  v4("reserved", "192.0.0.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24"),
  v4("reserved", "192.175.48.0/24", "240.0.0.0/4"),
  // Azure's wire server has a public address, but answers only inside Azure.
  v4("cloud metadata", "168.63.129.16/32"),
];

const V6: readonly Reason[] = [
  v6("loopback", "::1/128"),
  v6("unspecified", "::/128"),
  v6("private", "fc00::/7"),
  v6("link-local", "fe80::/10", "fec0::/10"),
  v6("multicast", "ff00::/8"),
  v6("documentation", "2001:db8::/32", "3fff::/20"),
  v6("a tunnel", "2001::/32", "2002::/16"),
  v6("reserved", "2001::/23", "2620:4f:8000::/48"),
];

const GLOBAL_UNICAST = blockList("ipv6", "2000::/3");
const MAPPED = blockList("ipv6", "::ffff:0:0/96");
const NAT64 = blockList("ipv6", "64:ff9b::/96");
