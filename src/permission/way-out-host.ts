// Hosts that a command in the sandbox could not reach: which of them a person may be offered to open.
import { BlockList, isIP } from "node:net";
import { type PermissionContext, rulesInForce } from "./context.ts";
import { byRule } from "./judgement.ts";
import { matchesHost } from "./rule-match.ts";

/**
 * open: a rule opens it. closed: no rule can, only a run outside. forbidden: a rule of the person's forbids it, or it
 * is an address that hands out the keys of a machine.
 */
type HostVerdict = "open" | "closed" | "forbidden";

/** Lower case, without brackets or a dot at the end; null if it is no real name or address. */
export function hostName(text: string): string | null {
  const host = text
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
  if (isIP(host) !== 0) return host;
  const labels = host.split(".");
  if (host.length > 253 || !labels.every((label) => LABEL.test(label))) return null;
  // Some programs read `127.1` and `0x7f000001` as addresses.
  return /^(\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? "") ? null : host;
}

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

export function judgeHost(host: string, context: PermissionContext): HostVerdict {
  // A rule for web_fetch counts too: what a person allows or forbids there, they mean for commands as well.
  const ruled = byRule(rulesInForce(context), (rule) =>
    matchesHost(rule, { host, tool: rule.subject.type === "host" ? rule.subject.tool : CONNECT }),
  );
  if (ruled?.verdict === "deny" || (hasKeys(host) && !isOwnLoopback(host))) return "forbidden";
  // A rule that already allows it did not help, and one that wants a question stays in force whatever is allowed.
  return ruled !== null || isUnproxied(host) ? "closed" : "open";
}

/** The word of rules for hosts that commands in the sandbox may reach. */
const CONNECT = "connect";

export function connectRule(host: string): string {
  return isIP(host) === 6 ? `${CONNECT}([${host}])` : `${CONNECT}(${host})`;
}

export function isThisMachine(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || isListed(LOOPBACK, host);
}

/** The sandbox has a loopback of its own, where its proxy is. */
export function isOwnLoopback(host: string): boolean {
  return host === "localhost" || host === "127.0.0.1" || host === "::1";
}

/** In the sandbox programs are told not to use its proxy for these, so nothing can open them there. */
function isUnproxied(host: string): boolean {
  return isOwnLoopback(host) || isListed(UNPROXIED, host);
}

/** Link-local addresses and others at which clouds hand out the keys of a machine, and addresses that mean no host. */
function hasKeys(host: string): boolean {
  return KEY_NAMES.test(host) || isListed(WITH_KEYS, host);
}

const KEY_NAMES =
  /^(metadata|instance-data|metadata\.(google|goog|azure|tencentyun)\..*|.*\.metadata\.internal)$/;

const LOOPBACK = list(["127.0.0.0", 8, "ipv4"], ["::1", 128, "ipv6"]);
const UNPROXIED = list(["10.0.0.0", 8, "ipv4"], ["172.16.0.0", 12, "ipv4"], ["192.168.0.0", 16, "ipv4"]);
const WITH_KEYS = list(
  ["0.0.0.0", 8, "ipv4"],
  ["169.254.0.0", 16, "ipv4"],
  ["100.100.100.200", 32, "ipv4"],
  ["168.63.129.16", 32, "ipv4"],
  ["192.0.0.192", 32, "ipv4"],
  ["224.0.0.0", 4, "ipv4"],
  ["255.255.255.255", 32, "ipv4"],
  ["::", 96, "ipv6"],
  ["fe80::", 10, "ipv6"],
  ["fd00:ec2::", 32, "ipv6"],
  ["fd20:ce::254", 128, "ipv6"],
  ["fd00:c1::a9fe:a9fe", 128, "ipv6"],
  ["fd00:42::42", 128, "ipv6"],
  ["fd00:a9fe:a9fe::1", 128, "ipv6"],
  ["fd00:100::100:200", 128, "ipv6"],
  ["ff00::", 8, "ipv6"],
  // Forms of IPv6 that carry an IPv4 address.
  ["64:ff9b::", 96, "ipv6"],
  ["2002::", 16, "ipv6"],
);

function list(...ranges: readonly (readonly [string, number, "ipv4" | "ipv6"])[]): BlockList {
  const found = new BlockList();
  for (const range of ranges) found.addSubnet(...range);
  return found;
}

function isListed(addresses: BlockList, host: string): boolean {
  const family = isIP(host);
  return family !== 0 && addresses.check(host, family === 4 ? "ipv4" : "ipv6");
}
