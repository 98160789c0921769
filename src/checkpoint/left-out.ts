// The folders whose content is neither watched nor kept, because a program can make it again: git's own data,
// dependencies, caches. What they hold is not covered by undo, and the person can be told so before.

const VERSION_CONTROL = [".git", ".hg", ".svn", ".jj"];
const LEFT_OUT = new Set([
  ...VERSION_CONTROL,
  ...(
    "node_modules bower_components jspm_packages .pnpm-store .venv venv virtualenv " +
    "__pycache__ .tox .nox .mypy_cache .pytest_cache .ruff_cache .gradle .m2 .terraform .direnv Pods " +
    "DerivedData .next .nuxt .svelte-kit .turbo .parcel-cache .cache .sass-cache .dart_tool .stack-work " +
    "_build zig-cache .zig-cache elm-stuff"
  ).split(" "),
]);

/** Programs mark folders like Rust's `target` with it: see bford.info/cachedir. */
export const CACHE_MARK = "CACHEDIR.TAG";

/** The kernel's own, which look like files and do things when they are read. */
export const KERNELS_FOLDERS: ReadonlySet<string> = new Set(["/proc", "/sys", "/dev"]);

/** Not even an edit in it is covered. */
export function isVersionControl(name: string): boolean {
  return VERSION_CONTROL.includes(name);
}

export function isLeftOut(folderName: string): boolean {
  return LEFT_OUT.has(folderName);
}
