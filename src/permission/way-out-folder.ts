// Folders that a command in the sandbox may write in because a rule says so, and which of them a person is offered:
// caches that are known, and ordinary folders that hold nothing secret and nothing that other programs obey.
import { dirname, join } from "node:path";
import { isWithin, pathWithTilde, realPath } from "../base/real-path.ts";
import { cacheHome, configHome, dataHome, stateHome } from "../base/xdg.ts";
import type { PermissionContext } from "./context.ts";
import { isObeyed, isSecret, obeyedPlaces } from "./guarded-paths.ts";
import { hasControlCharacter } from "./rules.ts";

/**
 * What belongs together, because a program that gets one of them needs the next. Left out are caches that hold programs
 * which run later, outside: `~/.npm/_npx`, `~/.cargo/bin`, browsers. `@` stands for the folder of caches.
 */
const CACHES: readonly (readonly string[])[] = [
  [".npm/_cacache", ".npm/_logs"],
  ["@/pnpm", ".local/share/pnpm/store"],
  ["@/yarn", ".yarn/berry/cache"],
  [".bun/install/cache"],
  ["@/go-build", "go/pkg/mod"],
  [".cargo/registry", ".cargo/git"],
  [".m2/repository"],
  [".gradle/caches"],
  ...(
    "pip uv pypoetry huggingface torch matplotlib mypy ruff deno ccache sccache zig composer coursier node-gyp " +
    "golangci-lint turbo"
  )
    .split(" ")
    .map((name) => [`@/${name}`]),
  ...".ccache .nuget/packages .ivy2/cache .cabal/packages .pub-cache/hosted".split(" ").map((name) => [name]),
];

/** The folders that have to be opened for this path to be written; none if that must not be offered. */
export function foldersFor(path: string, context: PermissionContext): readonly string[] {
  const caches = cachesFor(path, context);
  if (caches.length > 0) return caches;
  let folder = dirname(realPath(path, context.disk) ?? "/");
  while (folder !== "/" && context.disk.kindOf(folder) !== "folder") folder = dirname(folder);
  return mayBeOpened(folder, context) ? [folder] : [];
}

/** The same for known caches alone. */
export function cachesFor(path: string, context: PermissionContext): readonly string[] {
  const real = realPath(path, context.disk);
  if (real === null) return [];
  const caches = cachesOf(context);
  const cache = caches.find((folders) => folders.some((folder) => isWithin(real, folder)));
  if (cache !== undefined) return cache;
  // Such as ~/.npm, which a program makes first.
  const above = caches.filter((folders) => folders.some((folder) => isWithin(folder, real)));
  return above.length === 1 ? above.flat() : [];
}

/** Known caches are made if they are missing, because a folder that doesn't exist can't be opened in the sandbox. */
export function isKnownCache(folder: string, context: PermissionContext): boolean {
  return cachesOf(context).some((folders) => folders.includes(folder));
}

/** `folder` is a real path. */
export function mayBeOpened(folder: string, context: PermissionContext): boolean {
  // In a rule these are wildcards.
  if (/[*?()]/.test(folder) || hasControlCharacter(folder)) return false;
  return isKnownCache(folder, context) || isOrdinary(folder, context);
}

/** As a rule names it. */
export function writeRule(folder: string, { home }: PermissionContext): string {
  return `write(${pathWithTilde(folder, home)}/**)`;
}

/** In quotes if it could be taken for words of ours. */
export function pathFromHome(path: string, { home }: PermissionContext): string {
  const short = pathWithTilde(path, home);
  return /^[\w~/.@+-]+$/.test(short) ? short : JSON.stringify(short);
}

/** A question looks at them many times. */
const found = new WeakMap<PermissionContext, readonly (readonly string[])[]>();

function cachesOf(context: PermissionContext): readonly (readonly string[])[] {
  const caches = found.get(context) ?? findCaches(context);
  found.set(context, caches);
  return caches;
}

function findCaches(context: PermissionContext): readonly (readonly string[])[] {
  const { home, environment, disk } = context;
  const caches = [cacheHome({ ...environment, HOME: home }), join(home, "Library/Caches")];
  return CACHES.flatMap((names) => {
    const parents = names.some((name) => name.startsWith("@")) ? caches : [home];
    return parents.map((parent) =>
      names
        .map((name) => {
          const path = name.startsWith("@/") ? join(parent, name.slice(2)) : join(home, name);
          return realPath(path, disk) ?? path;
        })
        .filter((path) => !isSomethingElse(path, context)),
    );
  });
}

/** A cache may be a symlink to another disk, but not to what programs obey or to what is secret. */
function isSomethingElse(real: string, { home, workspace }: PermissionContext): boolean {
  if (isSecret(real, home) || isObeyed(real, home) || isWithin(workspace.root, real)) return true;
  return obeyedPlaces(home).some((place) => isWithin(place, real) || isWithin(real, place));
}

function isOrdinary(folder: string, context: PermissionContext): boolean {
  const { home, workspace, environment, disk } = context;
  if (SYSTEM.test(folder) || isWithin(home, folder) || isWithin(workspace.root, folder)) return false;
  // Hidden folders in the home folder are where programs keep what they obey.
  if (isWithin(folder, home) && folder.slice(home.length).startsWith("/.")) return false;
  const env = { ...environment, HOME: home };
  const programs = (environment["PATH"] ?? "").split(":").filter((path) => path.startsWith("/"));
  const ours = [dataHome, configHome, stateHome, cacheHome].map((homeOf) => homeOf(env));
  const touches = (other: string) => {
    const real = realPath(other, disk) ?? other;
    return isWithin(folder, real) || isWithin(real, folder);
  };
  if ([...programs, ...ours].some(touches)) return false;
  return disk.kindOf(folder) === "folder" && holdsOnlyOrdinary(folder, context);
}

/** And what is right below the root of the disk: /srv, /mnt and /home hold more than one program's files. */
const SYSTEM =
  /^\/([^/]*$|(bin|boot|cores|dev|etc|gnu|lib[^/]*|nix|opt|private|proc|run|sbin|snap|sys|usr|var|Applications|Library|System)(\/|$))/;
/** Takes about 5 ms. */
const MAX_ENTRIES = 1_000;

function holdsOnlyOrdinary(folder: string, { home, disk }: PermissionContext): boolean {
  const isGuarded = (path: string) => isSecret(path, home) || isObeyed(path, home);
  if (isGuarded(folder)) return false;
  const waiting = [folder];
  let seen = 0;
  for (let current = waiting.pop(); current !== undefined; current = waiting.pop())
    for (const { name, kind } of disk.listFolder(current) ?? []) {
      const path = join(current, name);
      if (++seen > MAX_ENTRIES || isGuarded(path)) return false;
      if (kind === "folder") waiting.push(path);
    }
  return true;
}
