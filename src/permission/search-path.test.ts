import { expect, test } from "bun:test";
import { trustedSearchPath } from "./search-path.ts";

test("folders in which somebody may have put a program are left out", () => {
  const path =
    ":.:bin:./x:/usr/bin:/tmp/x:/opt/project/bin:/opt/project/../project:/home/me/.asdf/shims:/no/such:/bin";
  expect(trustedSearchPath(path, ["/opt/project"])).toBe("/usr/bin:/bin");
});

test("nothing left means the system's folders, because a shell takes nothing for the working directory", () => {
  expect(trustedSearchPath(".", ["/opt/project"])).toStartWith("/usr/bin:/bin");
});

test("no program is taken from a folder that was added to the project", () => {
  expect(trustedSearchPath("/usr/sbin:/usr/bin", ["/opt/project", "/usr/sbin"])).toBe("/usr/bin");
});
