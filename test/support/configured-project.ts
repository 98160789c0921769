// A person and a project with configuration files, in a few words.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ProjectLocation } from "../../src/config/paths.ts";

export interface ConfiguredProject extends ProjectLocation {
  readonly home: string;
  /** Path from the home folder -> text, or a value to write as JSON. */
  readonly write: (path: string, content: unknown, mode?: number) => string;
  readonly remove: () => void;
}

export const PERSONAL = ".config/tunacode.json";
export const PROJECT = "project/.tunacode.json";

export function configuredProject(files: Readonly<Record<string, unknown>> = {}): ConfiguredProject {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "tunacode-config-")));
  const root = join(home, "project");
  mkdirSync(root);
  const write = (path: string, content: unknown, mode = 0o600) => {
    const whole = join(home, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, typeof content === "string" ? content : JSON.stringify(content), { mode });
    return whole;
  };
  for (const [path, content] of Object.entries(files)) write(path, content);
  return {
    home,
    root,
    cwd: root,
    env: { HOME: home },
    write,
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}
