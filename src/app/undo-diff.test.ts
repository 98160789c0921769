import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { ABSENT, type ContentId, type FileImage } from "../domain/file-change.ts";
import { diffOf, type KeptBytes } from "./undo-diff.ts";

const texts: Readonly<Record<string, string>> = { "git:1": "a\nb\n", "sha256:1": "a\nb\n", "sha256:0": "" };
const read = (content: ContentId) => Buffer.from(texts[content] ?? "?");
const kept: KeptBytes = {
  root: tmpdir(),
  read: async (_path, content) => read(content),
  readAll: async function* (wanted) {
    for (const one of wanted) yield { ...one, bytes: read(one.content) };
  },
};
const file = (content: ContentId, mode = 0o644): FileImage => ({
  type: "file",
  content,
  mode,
  size: read(content).length,
});

test("a changed mode is no changed line, also where git has the bytes under another name", async () => {
  const reason = "Mode 644 becomes 755.";
  for (const after of [file("git:1", 0o755), file("sha256:1", 0o755)])
    expect(await diffOf({ path: "a", before: file("git:1"), after }, kept)).toEqual({ type: "none", reason });
});

test("an empty file has no lines", async () => {
  const made = await diffOf({ path: "a", before: ABSENT, after: file("sha256:0") }, kept);
  expect(made).toMatchObject({ type: "text", lines: { added: 0, removed: 0 } });
  const emptied = await diffOf({ path: "a", before: file("git:1"), after: file("sha256:0") }, kept);
  expect(emptied).toMatchObject({ type: "text", lines: { added: 0, removed: 2 } });
});
