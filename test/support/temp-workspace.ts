// A temporary workspace with files for one test, removed when the test is over.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Workspace } from "../../src/tools/ports.ts";

export interface TempWorkspace extends Workspace, Disposable {
  readonly path: (...names: string[]) => string;
  readonly write: (name: string, content: string | Uint8Array) => string;
}

export function tempWorkspace(files: Readonly<Record<string, string | Uint8Array>> = {}): TempWorkspace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "workspace-")));
  let cwd = root;
  const path = (...names: string[]) => join(root, ...names);
  const write = (name: string, content: string | Uint8Array) => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), content);
    return path(name);
  };
  for (const [name, content] of Object.entries(files)) write(name, content);
  return {
    root,
    cwd: () => cwd,
    setCwd: (directory) => {
      cwd = directory;
    },
    path,
    write,
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}
