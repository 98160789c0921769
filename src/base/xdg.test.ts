import { expect, test } from "bun:test";
import { cacheHome, configHome, dataHome, stateHome } from "./xdg.ts";

test("the folders are the specification's, in a person's home unless they say otherwise", () => {
  const env = { HOME: "/home/u" };
  expect([dataHome(env), configHome(env), stateHome(env), cacheHome(env)]).toEqual([
    "/home/u/.local/share",
    "/home/u/.config",
    "/home/u/.local/state",
    "/home/u/.cache",
  ]);
  expect(dataHome({ HOME: "/home/u", XDG_DATA_HOME: "/data" })).toBe("/data");
});

test("a relative path counts as none", () => {
  expect(dataHome({ HOME: "/home/u", XDG_DATA_HOME: "data" })).toBe("/home/u/.local/share");
});
