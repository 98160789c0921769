// The addresses web_fetch may connect to: public unicast only. Anything that leads to this machine, its network or its
// cloud provider's services is refused, however it is written.
import { BlockList, isIPv4, isIPv6 } from "node:net";

/** The reason for refusing an address, in a word; null for a public one. */
export function refuseAddress(address: string): string | null {
  const plain = address.replace(/%.*$/, "");
  if (isIPv4(plain)) return reasonIn(V4, plain, "ipv4");
  return isIPv6(plain) ? refuseV6(plain) : "not an address";
}

/** Refuses names of nearby machines, regardless of what DNS says about them. */
export function refuseHostName(host: string): string | null {
  const name = host.toLowerCase().replace(/\.+$/, "");
  const isLocal = LOCAL_NAMES.some((local) => name === local || name.endsWith(`.${local}`));
  if (isLocal) return "a local name";
  // A name without a dot belongs to the local network. (Literal addresses are checked as addresses.)
  return name.includes(".") || name.includes(":") ? null : "a name without a domain";
}

const LOCAL_NAMES = [
  "localhost",
  "local",
  "internal",
  "lan",
  "home.arpa",
  "localdomain",
  "intranet",
  "corp",
  "home",
];

function refuseV6(address: string): string | null {
  const groups = expandV6(address);
  const embedded = `${groups[6] >> 8}.${groups[6] & 255}.${groups[7] >> 8}.${groups[7] & 255}`;
  // Both prefixes embed an IPv4 address. A network without IPv4 reaches it through the second.
  if (MAPPED.check(address, "ipv6") || NAT64.check(address, "ipv6")) return reasonIn(V4, embedded, "ipv4");
  if (!GLOBAL_UNICAST.check(address, "ipv6")) return reasonIn(V6, address, "ipv6") ?? "reserved";
  return reasonIn(V6, address, "ipv6");
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
  v4(
    "reserved",
    "192.0.0.0/24",
    "192.31.196.0/24",
    "192.52.193.0/24",
    "192.88.99.0/24",
    "192.175.48.0/24",
    "240.0.0.0/4",
  ),
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

type Groups = [number, number, number, number, number, number, number, number];

/** The URL parser normalises every spelling to hexadecimal groups with at most one gap. */
function expandV6(address: string): Groups {
  const [left = "", right = ""] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const head = left === "" ? [] : left.split(":");
  const tail = right === "" ? [] : right.split(":");
  const groups: Groups = [0, 0, 0, 0, 0, 0, 0, 0];
  for (const [index, group] of head.entries()) groups[index] = Number.parseInt(group, 16);
  for (const [index, group] of tail.entries()) groups[8 - tail.length + index] = Number.parseInt(group, 16);
  return groups;
}
