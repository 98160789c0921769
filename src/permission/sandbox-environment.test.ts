import { expect, test } from "bun:test";
import { sandboxVariables } from "./sandbox-environment.ts";

const PLAIN = {
  HOME: "/h",
  PATH: "/bin",
  PWD: "/p",
  EDITOR: "vi",
  GOPATH: "/g",
  TOKENIZERS_PARALLELISM: "1",
  KEYMAP: "us",
};
const SECRET = {
  OPENAI_API_KEY: "a",
  GH_TOKEN: "a",
  DB_PASSWORD: "a",
  PGPASSWORD: "a",
  AWS_SECRET_ACCESS_KEY: "a",
  GOOGLE_APPLICATION_CREDENTIALS: "a",
  SECRET_KEY_BASE: "a",
  DATABASE_URL: "postgres://me:word@host/x",
  HARMLESS: "the key itself",
  ALSO_HARMLESS: "ghp_0123456789abcdefghij",
  SSH_AUTH_SOCK: "/run/agent",
  DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/bus",
};

test("keys and agents are left out, by their name and by their value", () => {
  const { outer, prefix } = sandboxVariables(
    { ...PLAIN, ...SECRET },
    {},
    (value) => value === "the key itself",
  );
  for (const name of Object.keys(SECRET))
    expect([name, name in outer, outer[name]]).toEqual([name, true, undefined]);
  for (const name of Object.keys(PLAIN)) expect([name, name in outer]).toEqual([name, false]);
  expect(prefix).toBe("");
});

test("what the model sets, and what loaders obey, is for the command alone", () => {
  const { outer, prefix } = sandboxVariables(
    { LD_LIBRARY_PATH: "/cuda", BASH_ENV: "x.sh" },
    { LD_PRELOAD: "./evil.so", A: "it's", "not-a-name": "x" },
    () => false,
  );
  for (const name of ["LD_LIBRARY_PATH", "BASH_ENV", "LD_PRELOAD", "LD_AUDIT", "A", "not-a-name"])
    expect([name, name in outer, outer[name]]).toEqual([name, true, undefined]);
  expect(prefix).toBe("export LD_LIBRARY_PATH='/cuda' LD_PRELOAD='./evil.so' A='it'\\''s';");
});
