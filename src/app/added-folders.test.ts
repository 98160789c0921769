import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { tempWorkspace } from "../../test/support/temp-workspace.ts";
import { addedFolder } from "./added-folders.ts";

test("a folder is added by its real path; what is no further folder of files is refused with the reason", () => {
  using home = tempWorkspace({ "project/src/a": "", "library/b": "", ".ssh/id": "", ".config/nvim/x": "" });
  mkdirSync(home.path(".local/share/tunacode/sessions"), { recursive: true });
  mkdirSync(home.path(".config/tunacode"), { recursive: true });
  symlinkSync(home.path("library"), home.path("link"));
  symlinkSync(home.path(".ssh"), home.path("innocent"));
  symlinkSync("loop", home.path("loop"));
  const root = home.path("project");
  const add = (written: string) => addedFolder(written, { root, env: { HOME: home.root }, cwd: root });
  for (const written of ["../library", "~/library", home.path("link"), "../link/."])
    expect(add(written)).toBe(home.path("library"));
  for (const [written, why] of [
    ["../nowhere", "it is not a folder"],
    ["../library/b", "it is not a folder"],
    ["../loop", "it is not a folder"],
    [".", "it is part of the project already"],
    ["src", "it is part of the project already"],
    ["..", "it contains the project"],
    ["/", "it contains the project"],
    ["~", "it contains the project"],
    ["~/.config", "tunacode keeps its own files there"],
    ["~/.local/share/tunacode/sessions", "tunacode keeps its own files there"],
    ["~/.local", "tunacode keeps its own files there"],
    ["~/.ssh", "secrets are kept there"],
    ["~/innocent", "secrets are kept there"],
    ["~/.config/nvim", "it is configuration that other programs obey"],
    ["/proc/self/fd", "it belongs to the system"],
    ["a\nb", "its name contains control characters"],
  ] as const)
    expect(() => add(written)).toThrow(`${written} can't be added: ${why}.`);
  const elsewhere = { root: "/opt/project", env: { HOME: home.root }, cwd: "/" };
  expect(() => addedFolder(home.root, elsewhere)).toThrow("it contains your home folder");
});
