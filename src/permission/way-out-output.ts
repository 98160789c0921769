// What a command's output says about the network, a file or a device that it could not use, in the words of the usual
// programs. The command can print anything, so all of it is a hint.

export interface OutputHints {
  /** It says that a host can't be reached. */
  readonly network: boolean;
  /** Not yet checked to be real names. */
  readonly hosts: readonly string[];
  /** It says that something can't be written. */
  readonly files: boolean;
  /** Absolute, or below ~/. */
  readonly paths: readonly string[];
  /** Devices and sockets of other programs. */
  readonly devices: readonly string[];
}

const NETWORK =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ConnectionRefused|NewConnectionError|ProxyError)\b|(could not|couldn't|cannot|can't|unable to|failed to) (resolve|connect|fetch|reach|download|look ?up)|(failure in name|failure) resol|name or service not known|nodename nor servname|no such host|unknown ?host|dns error|network is (unreachable|down)|no route to host|connection refused|dial tcp|proxyconnect|CONNECT tunnel failed|from proxy after CONNECT|tunnel connection failed|blocked by network allowlist|network request to .{1,200} failed|request to .{1,200} failed|fetch failed|error sending request|max retries exceeded|trouble with your network|\b403 Forbidden - GET\b|\bE403\b/i;
const FILES =
  /read-only file ?system|\bEROFS\b|os error 30\b|errno 30\b|permission denied|\bEACCES\b|operation not permitted|\bEPERM\b|readonly database|error writing to|\bENOENT\b.{0,100}\bmkdir\b/i;
const DEVICE_TROUBLE =
  /no such (file|device)|not found|permission denied|not permitted|could not|couldn't|cannot|can't|unable|failed|error/i;

const URL_HOST = /\b[a-z][a-z+]{1,8}:\/\/(?:[^\s/@'"]{0,200}@)?(\[[0-9a-f:.]{2,45}\]|[\w.-]{1,253})/gi;
const NAMED_HOST =
  /(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|lookup|resolve(?: proxy)?(?: host(?:name)?)?(?: address)?|resolving|unknown ?host|host=|connect to(?: host)?|dial tcp)[:\s]*['"`‘“(]{0,2}(\[[0-9a-f:.]{2,45}\]|[\w-]{1,63}(?:\.[\w-]{1,63}){1,10}|localhost)/gi;
const QUOTED_PATH = /['"`‘]((?:~|\/(?!\/))[^'"`’\n]{1,400}?)['"`’]/g;
const BARE_PATH = /(?:^|[\s=:(])((?:~\/|\/(?!\/))[^\s:'"`,;)\]]{1,400})/g;
const DEVICE =
  /\/dev\/(?!(?:null|zero|full|random|urandom|tty|fd|stdin|stdout|stderr|ptmx|pts|shm)(?![\w-]))[\w/.-]{1,60}|\/(?:var\/)?run\/[\w/.-]{1,80}\.sock\b|docker daemon/g;

/** A name or a path often stands on a line beside the one with the error. */
const LINES_AROUND = 3;
const MAX_LINES = 400;
const MAX_LINE_CHARACTERS = 2_000;
const MAX_HINTS = 20;

export function readHints(output: string): OutputHints {
  const lines = output
    .split("\n")
    .slice(-MAX_LINES)
    .map((line) => line.slice(0, MAX_LINE_CHARACTERS));
  const hosts = new Set<string>();
  const paths = new Set<string>();
  const devices = new Set<string>();
  let network = false;
  let files = false;
  for (const [index, line] of lines.entries()) {
    if (NETWORK.test(line)) {
      network = true;
      addAll(hosts, near(lines, index, hostsIn));
    }
    if (FILES.test(line)) {
      files = true;
      addAll(paths, near(lines, index, pathsIn));
    }
    if (DEVICE_TROUBLE.test(line)) addAll(devices, matches(line, DEVICE));
    if (isAboutSocket(lines, index)) addAll(devices, ["a Unix socket"]);
  }
  return { network, hosts: [...hosts], files, paths: [...paths], devices: [...devices] };
}

/** The kernel refuses these inside, also between the command's own programs. */
const SOCKET =
  /\b(listen|connect) EPERM\b|error connecting to .{1,200} \(operation not permitted\)|\bsocket: operation not permitted|unix.{0,20} socket.{0,100}operation not permitted/i;

function isAboutSocket(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? "";
  if (SOCKET.test(line)) return true;
  const before = lines.slice(Math.max(0, index - LINES_AROUND), index);
  return (
    line.startsWith("PermissionError: [Errno 1]") &&
    before.some((each) => /(socket|unix_events)\.py", line/.test(each))
  );
}

/** The hosts that the command itself names, for a program that doesn't say which of them it could not reach. */
export function hostsInScript(script: string): readonly string[] {
  return matches(script.slice(0, 10_000), URL_HOST).slice(0, MAX_HINTS);
}

/** On the line itself, else on those around it. */
function near(
  lines: readonly string[],
  index: number,
  find: (line: string) => readonly string[],
): readonly string[] {
  const own = find(lines[index] ?? "");
  if (own.length > 0) return own;
  return lines.slice(Math.max(0, index - LINES_AROUND), index + LINES_AROUND).flatMap(find);
}

function hostsIn(line: string): readonly string[] {
  return [...matches(line, URL_HOST), ...matches(line, NAMED_HOST)];
}

/** A line of source in a traceback of Python or Node. */
const SOURCE_LINE = /^\s*(File ".*", line \d+|at .*:\d+:\d+\)?$)/;

/** Of bare paths the last, because the first may be the program that complains. */
function pathsIn(line: string): readonly string[] {
  if (SOURCE_LINE.test(line)) return [];
  const quoted = matches(line, QUOTED_PATH);
  return quoted.length > 0 ? quoted : matches(line, BARE_PATH).slice(-1);
}

function matches(line: string, pattern: RegExp): readonly string[] {
  return [...line.matchAll(pattern)].map(
    ([whole, ...groups]) => groups.findLast((group) => group !== undefined) ?? whole,
  );
}

function addAll(into: Set<string>, found: readonly string[]): void {
  for (const each of found) if (into.size < MAX_HINTS) into.add(each);
}
