import { expect, test } from "bun:test";
import { bubblewrapArguments } from "./sandbox-arguments.ts";

const LINE =
  "bwrap --setenv TMPDIR /tmp/other --setenv A 'b c' --ro-bind / / --ro-bind /dev/null /nowhere/.vscode " +
  "--ro-bind /dev/null /nowhere/.git/hooks -- /bin/bash -c " +
  "'relays; SRT_ALLOW_NESTED_USERNS=0 /s/apply /bin/bash -c '\"'\"'echo hi'\"'\"''";
const HEAD = "bwrap|--setenv|TMPDIR|/t|--setenv|A|b c|--ro-bind|/|/|--ro-bind|/dev/null|/nowhere/.git/hooks|";

test("leaves out placeholder files, and keeps the relays if hosts are allowed", () => {
  const argv = bubblewrapArguments(LINE, { temporaryFolder: "/t", direct: null });
  const script = "relays; SRT_ALLOW_NESTED_USERNS=0 /s/apply /bin/bash -c 'echo hi'";
  expect(argv?.join("|")).toBe(`${HEAD}--|/bin/bash|-c|${script}`);
});

test("starts the command without relays if no host is allowed", () => {
  const direct = { seccomp: "/s/apply", shell: "/bin/bash", command: "echo hi" };
  expect(bubblewrapArguments(LINE, { temporaryFolder: "/t", direct })?.join("|")).toBe(
    `${HEAD}--setenv|SRT_ALLOW_NESTED_USERNS|0|--|/s/apply|/bin/bash|-c|echo hi`,
  );
  // With an unknown program, nothing is left out.
  const other = { ...direct, seccomp: "/s/other" };
  expect(bubblewrapArguments(LINE, { temporaryFolder: "/t", direct: other })?.at(-1)).toStartWith("relays");
});

test.each([
  "bwrap x; y",
  "x -- y",
  "bwrap $X -- y",
  "bwrap x",
  "bwrap x > y -- z",
  'bwrap "',
  "A=b bwrap x -- y",
])("doesn't interpret %s", (line) => {
  expect(bubblewrapArguments(line, { temporaryFolder: "/t", direct: null })).toBeNull();
});
