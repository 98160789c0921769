import { expect, test } from "bun:test";
import { cacheHome, configHome, dataHome, stateHome } from "./xdg.ts";

test("the folders follow the specification and are in the home folder by default", () => {
  const env = { HOME: "/home/u" };
  expect([dataHome(env), configHome(env), stateHome(env), cacheHome(env)]).toEqual([
    "/home/u/.local/share",
    "/home/u/.config",
    "/home/u/.local/state",
    "/home/u/.cache",
  ]);
  expect(dataHome({ HOME: "/home/u", XDG_DATA_HOME: "/data" })).toBe("/data");
});

test("a relative path is ignored", () => {
  expect(dataHome({ HOME: "/home/u", XDG_DATA_HOME: "data" })).toBe("/home/u/.local/share");
});
