// update_file: replaces one text by another in a file, and nothing else.
import { createTimeSlices } from "../base/time-slices.ts";
import type { Tool } from "../domain/tool.ts";
import { defineTool, type Zod } from "./define-tool.ts";
import { editDiff } from "./edit-diff.ts";
import { planEdit } from "./edit-match.ts";
import { explainAmbiguous, explainMiss } from "./edit-misses.ts";
import { applySplices, type MatchKind } from "./edit-plan.ts";
import type { FileAccess } from "./file-access.ts";
import { fileError } from "./file-problem.ts";
import { isBinary, readFileText, toFileBytes, withLineEnd } from "./file-text.ts";
import description from "./update-file.md" with { type: "text" };

const DEADLINE_MS = 60_000;

export const makeSchema = (z: Zod) =>
  z.object({
    filepath: z.string().min(1),
    old_text: z.string(),
    new_text: z.string(),
    replace_all: z.boolean().default(false),
  });

const MATCHED: Record<MatchKind, string> = {
  exact: "",
  "line-trimmed": " old_text was found without regard to spaces at line ends.",
  indentation: " old_text was found with other indentation; new_text was indented as in the file.",
};

export function createUpdateFile(access: FileAccess): Tool {
  return defineTool({
    name: "update_file",
    kind: "write",
    description,
    makeSchema,
    deadlineMs: DEADLINE_MS,
    async execute({ filepath, old_text, new_text, replace_all }, { signal }) {
      const edit = { oldText: withoutBom(old_text), newText: withoutBom(new_text), replaceAll: replace_all };
      if (edit.oldText === "")
        throw fileError("old_text is empty. To create a file or replace a whole one use write_file.");
      if (withLineEnd(edit.oldText, "\n") === withLineEnd(edit.newText, "\n"))
        throw fileError("old_text and new_text are the same, so there is nothing to change.");

      const file = await access.locate(filepath);
      const before = await access.load(file, signal);
      if (before === null) throw await access.missing(file);
      const seen = access.seen(file, before);
      if (seen === "outdated")
        throw fileError(`${file.shown} changed since it was read. Read it again, then edit it.`);
      if (isBinary(before.bytes)) throw fileError(`${file.shown} is a binary file. Change it with bash.`);

      const slices = createTimeSlices(signal);
      const text = readFileText(before.bytes, file.shown);
      const plan = await planEdit(text.body, edit, seen === "never", slices);
      switch (plan.type) {
        case "miss":
          throw fileError(await explainMiss(file.shown, text.body, edit, seen === "never", slices));
        case "ambiguous":
          throw fileError(await explainAmbiguous(file.shown, text.body, plan, slices));
        case "splices":
      }
      const diff = await editDiff(file.shown, text.body, plan.splices, slices);
      const bytes = toFileBytes(text, await applySplices(text.body, plan.splices, slices));
      const remarks = await access.save(file, before, bytes, signal);

      // The file is written: from here on nothing may fail the call.
      const places = plan.splices.length === 1 ? "1 place" : `${plan.splices.length} places`;
      const report = [`Updated ${file.shown} at ${places}.${MATCHED[plan.match]}`, ...remarks, "", diff];
      const diagnostics = await access.diagnose(file, signal);
      return [...report, ...(diagnostics === null ? [] : ["", diagnostics])].join("\n");
    },
  });
}

/** read_file doesn't show it, but some models copy it from elsewhere. */
function withoutBom(text: string): string {
  return text.replace(/^\uFEFF/, "");
}
