// Which files the sandbox hides because of rules.
import { expect, test } from "bun:test";
import { VOCABULARY } from "../../test/support/asked-call.ts";
import { fakeDisk } from "../../test/support/fake-disk.ts";
import { boundFiles } from "./bound-files.ts";
import { parseRules } from "./rules.ts";

const FILES = {
  "/p/a.txt": "",
  "/p/.env": "",
  "/p/src/x.pem": "",
  "/p/src/deep/y.PEM": "",
  "/p/src/deep/z.ts": "",
  "/p/link": "-> /elsewhere/secret",
  "/p/in": "-> src",
  "/elsewhere/secret": "",
  "/elsewhere/folder/kept": "",
  "/p/away": "-> /elsewhere/folder",
  "/p/src/round": "-> /p",
  "/home/me/.ssh/id_rsa": "",
  "/p/.git/objects/x.pem": "",
};

function bound(rules: readonly string[], files: Readonly<Record<string, string>> = FILES) {
  const parsed = parseRules(rules, "deny", "person", VOCABULARY).rules;
  const rest = { vocabulary: VOCABULARY, home: "/home/me", trusted: false, sandbox: true, environment: {} };
  const workspace = { root: "/p", cwd: "/p" };
  return boundFiles({ mode: "ask", rules: parsed, workspace, disk: fakeDisk(files), ...rest });
}

test.each<[string, readonly string[]]>([
  ["read(a.txt)", ["/p/a.txt"]],
  ["read(A.TXT)", ["/p/a.txt"]],
  ["read(nothing)", []],
  ["read(src)", ["/p/src"]],
  ["read(src/**)", ["/p/src"]],
  ["read(SRC/x.pem)", ["/p/src/x.pem"]],
  ["read(**/*.pem)", ["/p/src/deep/y.PEM", "/p/src/x.pem"]],
  ["read(src/*/y.pem)", ["/p/src/deep/y.PEM"]],
  ["read(*)", ["/elsewhere/folder", "/elsewhere/secret", "/p/.env", "/p/.git", "/p/a.txt", "/p/src"]],
  ["read(link)", ["/elsewhere/secret"]],
  ["read(in/x.pem)", ["/p/src/x.pem"]],
  ["read(**/kept)", ["/elsewhere/folder/kept"]],
  ["read(~/.ssh/**)", ["/home/me/.ssh"]],
  ["read(/elsewhere/*)", ["/elsewhere/folder", "/elsewhere/secret"]],
])("%s: %j", (rule, expected) => {
  const { unreadable, unwritable, incomplete } = bound([rule]);
  expect([...unreadable].sort()).toEqual([...expected]);
  expect({ unwritable, incomplete }).toEqual({ unwritable: [], incomplete: null });
});

test("a rule about writing makes files unwritable, and one without a path, or with too many files, is incomplete", () => {
  expect(bound(["write(a.txt)"]).unwritable).toEqual(["/p/a.txt"]);
  expect(bound(["read"]).incomplete?.text).toBe("read");
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`/p/d/${index}.x`, ""]));
  expect(bound(["read(d/*.x)"], many(300)).incomplete?.text).toBe("read(d/*.x)");
  expect(bound(["read(d)"], many(300))).toMatchObject({ unreadable: ["/p/d"], incomplete: null });
  expect(bound(["read(**/y)"], many(3_100)).incomplete?.text).toBe("read(**/y)");
});
