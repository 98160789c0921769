import { expect, test } from "bun:test";
import { VOCABULARY } from "../../test/support/asked-call.ts";
import type { RememberedRules } from "../config/remembered-rules.ts";
import { ConfigError } from "../domain/error.ts";
import { parseRules } from "../permission/rules.ts";
import { createSessionRules } from "./session-rules.ts";

function opened(keep?: RememberedRules["keep"]) {
  const told: string[] = [];
  const forgotten: string[] = [];
  const { rules: first } = parseRules(["bash(rm)"], "deny", "person", VOCABULARY);
  const wished = parseRules(["bash"], "allow", "project", VOCABULARY).rules;
  const rules = createSessionRules(
    {
      rules: [...first, ...wished],
      vocabulary: VOCABULARY,
      trusted: false,
      workspace: { root: "/p", cwd: "/p" },
    },
    {
      notify: (text) => told.push(text),
      ...(keep && {
        remembered: {
          path: "",
          read: () => ({ rules: { allow: [], ask: [], deny: [] }, problems: [] }),
          keep,
          forget: (project, { text }) => void forgotten.push(`${project} ${text}`),
        },
      }),
    },
  );
  const list = () => rules.list().map(({ verdict, text, source }) => `${verdict} ${text} ${source}`);
  return { rules, list, told, forgotten };
}

test("an offer adds its rules for as long as it lasts; what was for once adds none", () => {
  const kept: string[] = [];
  const { rules, list } = opened((project, { text }) => void kept.push(`${project} ${text}`));
  rules.remember({ label: "", rules: ["web_fetch(a.example)"], lasts: "once" });
  rules.remember({ label: "", rules: ["bash(make)", "write(a)"], lasts: "session" });
  rules.remember({ label: "", rules: ["bash(make)"], lasts: "session" });
  rules.remember({ label: "", rules: ["bash(npm test)"], lasts: "always" });
  expect(list()).toEqual([
    "deny bash(rm) person",
    "allow bash(make) session",
    "allow write(a) session",
    "allow bash(npm test) remembered",
  ]);
  expect(kept).toEqual(["/p bash(npm test)"]);
});

test("rules of this session and remembered ones are removed; those of a file stay", () => {
  const { rules, list, forgotten } = opened(() => {});
  rules.add({ verdict: "ask", text: "bash(make)", lasts: "always" });
  rules.add({ verdict: "allow", text: "write", lasts: "session" });
  expect(rules.list().map(rules.remove)).toEqual([false, true, true]);
  expect(list()).toEqual(["deny bash(rm) person"]);
  expect(forgotten).toEqual(["/p bash(make)"]);
});

test("a wrong rule is refused with the reason", () => {
  const { rules, list } = opened();
  for (const text of ["", "bash(", "Bash(ls)", "web_fetch(https://x)", "bash(a\u200bb)", "bash(ls\nrm)"])
    expect(() => rules.add({ verdict: "allow", text, lasts: "session" })).toThrow("can't be used");
  expect(list()).toEqual(["deny bash(rm) person"]);
});

test("a rule that can't be kept holds in this session, and that is told", () => {
  const { rules, list, told } = opened(() => {
    throw new ConfigError("the disk is full");
  });
  rules.add({ verdict: "deny", text: "bash(make)", lasts: "always" });
  expect(list()).toContain("deny bash(make) session");
  expect(told).toEqual(["bash(make) holds in this session, but can't be kept: the disk is full"]);
});
