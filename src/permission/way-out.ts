// What a command lacked inside the sandbox: hosts, folders or devices. It is made of what the sandbox's monitor noticed
// and of what the command printed, which are hints that the command can write itself. So they are few, checked, and
// judged by the rules, and a person decides.
import { tmpdir } from "node:os";
import { normalize } from "node:path";
import { isStream, isWithin, realPath } from "../base/real-path.ts";
import { type PermissionContext, rulesInForce } from "./context.ts";
import { isObeyed } from "./guarded-paths.ts";
import { byRule } from "./judgement.ts";
import { projectFolders } from "./project-path.ts";
import { matchesPath } from "./rule-match.ts";
import { hasControlCharacter } from "./rules.ts";
import type { Refusal } from "./sandboxed-command.ts";
import { cachesFor, foldersFor } from "./way-out-folder.ts";
import { hostName, isOwnLoopback, judgeHost } from "./way-out-host.ts";
import { hostsInScript, type OutputHints, readHints } from "./way-out-output.ts";

/** A command that ran inside the sandbox to its end. */
export interface EndedCommand {
  readonly script: string;
  readonly failed: boolean;
  readonly output: string;
  readonly refused: readonly Refusal[];
  /** Whether a file could be written there outside the sandbox. */
  readonly mayWrite: (path: string) => boolean;
}

export interface Missing {
  /** Hosts, and those of them that a rule can open. */
  readonly hosts: readonly string[];
  readonly openHosts: readonly string[];
  /** It did not say which host it wanted. */
  readonly network: boolean;
  /** Files that it could not write, and the folders that a rule can open for them. */
  readonly paths: readonly string[];
  readonly openFolders: readonly string[];
  readonly devices: readonly string[];
  /** Hosts and files that the person's rules forbid, and addresses that hand out keys. */
  readonly forbidden: readonly string[];
}

/** A person has to read them all. */
const MAX_OF_A_KIND = 3;
const MAX_FOLDERS = 4;
const MAX_REFUSALS = 20;
const MAX_SHOWN_PATH = 120;

/** null if nothing was missing, or if it did its work without it. */
export function findMissing(ended: EndedCommand, context: PermissionContext): Missing | null {
  const command = { ...ended, refused: ended.refused.slice(0, MAX_REFUSALS) };
  const hints = readHints(command.output);
  const hosts = hostsOf(command, hints);
  const isForbiddenHost = (host: string) => judgeHost(host, context) === "forbidden";
  const paths = pathsOf(command, hints, context);
  const isForbiddenPath = (path: string) => isDenied(path, context);
  const named = hosts.filter((host) => !isForbiddenHost(host)).slice(0, MAX_OF_A_KIND);
  const unwritten = paths.filter((path) => !isForbiddenPath(path)).slice(0, MAX_OF_A_KIND);
  const caches = cachesTried(command, context).filter((path) => !isForbiddenPath(path));
  const folders = [...unwritten, ...caches].flatMap((path) => foldersFor(path, context));
  const missing: Missing = {
    hosts: named,
    openHosts: named.filter((host) => judgeHost(host, context) === "open"),
    network: hints.network && hosts.length === 0,
    paths: unwritten,
    openFolders: outermost(folders).slice(0, MAX_FOLDERS),
    devices: devicesOf(hints, context),
    forbidden: [...hosts.filter(isForbiddenHost), ...paths.filter(isForbiddenPath)].slice(0, MAX_OF_A_KIND),
  };
  return mattered(command, missing) ? missing : null;
}

/** A program that got the host, or the first of its caches, would miss the next one. They are no reason to ask. */
function cachesTried({ refused }: EndedCommand, context: PermissionContext): readonly string[] {
  return refused
    .filter((refusal) => refusal.type === "write")
    .map(({ path }) => path)
    .filter((path) => cachesFor(path, context).length > 0);
}

/** The sandbox's proxy answers plain HTTP in the host's place, and curl is content with that. */
const PROXY_ANSWER = /^Connection blocked by network allowlist/m;

/**
 * A program that succeeded did without what it was refused, as an update check does, unless its output speaks of it.
 * And behind a pipe or in a list of commands, exit code 0 says nothing about the one that failed.
 */
function mattered({ script, failed, output, refused }: EndedCommand, missing: Missing): boolean {
  const { hosts, network, paths, devices, forbidden } = missing;
  const others = paths.length + devices.length + forbidden.length;
  if (failed || PROXY_ANSWER.test(output) || refused.some((refusal) => names(output, refusal)))
    return network || hosts.length + others > 0;
  // Tests print much about servers of their own.
  const isTold = hosts.some((host) => !isOwnLoopback(host)) || others > 0;
  return isTold && /[|;&\n`]|\$\(/.test(script);
}

/**
 * Programs try much that they don't need. So what the monitor noticed counts if the output names it, else if the output
 * is about that kind of thing at all, or empty.
 */
function mostLikely<Kind extends Refusal>(
  noticed: readonly Kind[],
  output: string,
  about: RegExp,
): readonly Kind[] {
  const named = noticed.filter((refusal) => names(output, refusal));
  if (named.length > 0) return named;
  return output.trim() === "" || about.test(output) ? noticed : [];
}

/** npm complains about these whenever it fails, whatever the reason. */
const ONLY_LOGS = /\/\.npm\/_logs(\/|$)/;
const ANYTHING = /(?:)/;
const ABOUT_NETWORK =
  /download|fetch|network|connect|proxy|time[sd]? ?out|offline|forbidden|\b403\b|registry/i;
const ABOUT_FILES = /\bcache|(could not|cannot|can't|unable to|failed to) (create|write|open|save)/i;

function names(output: string, refusal: Refusal): boolean {
  return output.includes(refusal.type === "host" ? refusal.host : refusal.path);
}

function hostsOf(
  { script, output, refused }: EndedCommand,
  { network, hosts: printed }: OutputHints,
): readonly string[] {
  const noticed = refused.filter((refusal) => refusal.type === "host");
  const first = mostLikely(noticed, output, network ? ANYTHING : ABOUT_NETWORK).map(({ host }) => host);
  const found = real([...first, ...printed]);
  // The sandbox's proxy is reached through loopback, so a program may complain about that.
  const elsewhere = found.filter((host) => !isOwnLoopback(host));
  if (elsewhere.length > 0) return elsewhere;
  const written = network ? real(hostsInScript(script)) : [];
  return written.length > 0 ? written : found;
}

function real(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.map(hostName))].filter((host) => host !== null);
}

function pathsOf(
  { output, refused, mayWrite }: EndedCommand,
  { files, paths: printed, devices }: OutputHints,
  context: PermissionContext,
): readonly string[] {
  const { home, disk } = context;
  // The monitor tells of every try, also of making a folder that is there.
  const noticed = refused
    .filter((refusal) => refusal.type === "write")
    .filter(({ path }) => disk.kindOf(path) !== "folder");
  const written = printed.map((path) => path.replace(/^~/, () => home));
  const about = files && written.length === 0 ? ANYTHING : ABOUT_FILES;
  const first = mostLikely(noticed, output, about).map(({ path }) => path);
  const places = [...projectFolders(context), tmpdir(), "/tmp", "/var/tmp"];
  const isMissing = (path: string) => {
    if (
      !path.startsWith("/") ||
      isStream(path) ||
      devices.includes(path) ||
      /^\/(dev|proc|sys)(\/|$)/.test(path)
    )
      return false;
    if (path.length > MAX_SHOWN_PATH || hasControlCharacter(path) || ONLY_LOGS.test(path)) return false;
    return places.some((place) => isWithin(path, place)) ? isObeyed(path, home) : mayWrite(path);
  };
  const all = [...first, ...written].map((path) => normalize(path));
  return innermost(all.filter(isMissing));
}

function devicesOf({ devices }: OutputHints, { disk }: PermissionContext): readonly string[] {
  const isThere = (device: string) => !device.startsWith("/") || disk.kindOf(device) !== null;
  return devices.filter(isThere).slice(0, MAX_OF_A_KIND);
}

function isDenied(path: string, context: PermissionContext): boolean {
  const use = { access: "write", tool: null } as const;
  const candidates = [path, realPath(path, context.disk) ?? path];
  const ruled = byRule(rulesInForce(context), (rule) => matchesPath(rule, use, candidates, context));
  return ruled?.verdict === "deny";
}

/** Without those in which another one lies: a program makes one folder after the other. */
function innermost(paths: readonly string[]): readonly string[] {
  const all = [...new Set(paths)];
  return all.filter((path) => !all.some((other) => other !== path && isWithin(other, path)));
}

/** Without those that lie in another one. */
function outermost(paths: readonly string[]): readonly string[] {
  const all = [...new Set(paths)];
  return all.filter((path) => !all.some((other) => other !== path && isWithin(path, other)));
}
