import { expect, test } from "bun:test";
import { bubblewrapArguments, mountArguments } from "./sandbox-arguments.ts";

const LINE =
  "/b/bwrap --new-session --bind /s.sock /s.sock --setenv A 'b c' --bind / / --dev /dev -- /bin/bash -c 'relays; x'";

const settings = ["/proc/sys", "/proc/sysrq-trigger"].map((path) => `--ro-bind-try|${path}|${path}|`);
const forRoot = process.getuid?.() === 0 ? settings.join("") : "";

test("our mounts take the place of the open one, before everything else", () => {
  const argv = bubblewrapArguments(LINE, "/b/bwrap", ["--ro-bind", "/", "/"]);
  expect(argv?.join("|")).toBe(
    `/b/bwrap|--ro-bind|/|/|--new-session|--bind|/s.sock|/s.sock|--setenv|A|b c|--dev|/dev|${forRoot}--|/bin/bash|-c|relays; x`,
  );
});

test.each([
  "/b/bwrap x --bind / / -- y; z",
  "bwrap --bind / / -- y",
  "/b/bwrap $X --bind / / -- y",
  "/b/bwrap --ro-bind / / -- y",
  "/b/bwrap -- y --bind / /",
  "/b/bwrap --bind / / y",
  "/b/bwrap --bind / / -- y > z",
  '/b/bwrap "',
  "A=b /b/bwrap --bind / / -- y",
])("doesn't interpret %s", (line) => {
  expect(bubblewrapArguments(line, "/b/bwrap", [])).toBeNull();
});

test("what is deeper is mounted later, over folders that can't be renamed", () => {
  const folder = {
    path: "/t/own",
    places: [{ path: "/t", own: "/t/own/0" }],
    emptyFile: "/e",
    emptyFolder: "/f",
    remove: async () => {},
  };
  const mounts = { writable: ["/p"], readOnly: ["/p/a/.git"], hidden: ["/p/a/b/.env"], around: [] };
  expect(mountArguments(mounts, folder, ["/t/seen"]).join(" ")).toBe(
    "--ro-bind / / --bind /t/own/0 /t --ro-bind-try /t/seen /t/seen --ro-bind /p/a /p/a --ro-bind /p/a/b /p/a/b " +
      "--bind /p /p --ro-bind /p/a/.git /p/a/.git --ro-bind /e /p/a/b/.env",
  );
  const ours = { writable: ["/d/worktrees/i/n"], readOnly: [], hidden: [], around: ["/d"] };
  expect(mountArguments(ours, folder, []).join(" ")).toEndWith(
    "--tmpfs /d --bind /d/worktrees/i/n /d/worktrees/i/n --remount-ro /d",
  );
});
