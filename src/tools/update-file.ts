// update_file: replaces one text with another in a file, and changes nothing else.
import { z } from "zod";
import { createTimeSlices } from "../base/time-slices.ts";
import { type Grant, UNJUDGED } from "../domain/grant.ts";
import { labelOf } from "./call-label.ts";
import { defineTool } from "./define-tool.ts";
import { carryOut, type PlannedEdit, previewOf } from "./edit-details.ts";
import { ASKED_ABOUT, editDiff, REPORTED } from "./edit-diff.ts";
import { planEdit } from "./edit-match.ts";
import { explainAmbiguous, explainMiss } from "./edit-misses.ts";
import { applySplices, type MatchKind } from "./edit-plan.ts";
import type { FileAccess } from "./file-access.ts";
import { fileError } from "./file-problem.ts";
import { isBinary, readFileText, toFileBytes, withLineEnd } from "./file-text.ts";
import description from "./update-file.md" with { type: "text" };
import { pathDemand } from "./workspace-path.ts";

const DEADLINE_MS = 60_000;

const MATCHED: Record<MatchKind, string> = {
  exact: "",
  "line-trimmed": " old_text was found without regard to spaces at line ends.",
  indentation: " old_text was found with other indentation; new_text was indented as in the file.",
};

const schema = z.object({
  filepath: z.string().min(1),
  old_text: z.string(),
  new_text: z.string(),
  replace_all: z.boolean().default(false),
});

export const updateFile = defineTool({
  name: "update_file",
  kind: "write",
  description,
  schema,
  deadlineMs: DEADLINE_MS,
  demands: ({ filepath }, { workspace }) => [pathDemand(workspace, filepath, "write", "file")],
  ruleTopic: "write",
  label: labelOf("Edit", "filepath"),
  question: "May this file be edited?",
  names: { hooks: "Edit", editors: "edit" },
  preview: (args, { files }, signal) => previewOf(plan(args, files, UNJUDGED, signal, ASKED_ABOUT)),
  async execute(args, { signal, grant }, { files }) {
    const planned = await plan(args, files, grant, signal);
    const places = planned.places === 1 ? "1 place" : `${planned.places} places`;
    const said = `Updated ${planned.file.shown} at ${places}.${MATCHED[planned.match]}`;
    return await carryOut(planned, files, signal, said);
  },
});

interface Plan extends PlannedEdit {
  readonly places: number;
  readonly match: MatchKind;
}

/** Does everything but the writing. Throws if the edit is wrong. */
async function plan(
  { filepath, old_text, new_text, replace_all: replaceAll }: z.output<typeof schema>,
  files: FileAccess,
  grant: Grant,
  signal: AbortSignal,
  extent = REPORTED,
): Promise<Plan> {
  const edit = { oldText: withoutBom(old_text), newText: withoutBom(new_text), replaceAll };
  if (edit.oldText === "")
    throw fileError("old_text is empty. To create a file or replace a whole one use write_file.");
  if (withLineEnd(edit.oldText, "\n") === withLineEnd(edit.newText, "\n"))
    throw fileError("old_text and new_text are the same, so there is nothing to change.");

  const file = await files.locate(filepath, grant);
  const before = await files.load(file, signal);
  if (before === null) throw await files.missing(file);
  const seen = files.seen(file, before);
  if (seen === "outdated")
    throw fileError(`${file.shown} changed since it was read. Read it again, then edit it.`);
  if (isBinary(before.bytes)) throw fileError(`${file.shown} is a binary file. Change it with bash.`);

  const slices = createTimeSlices(signal);
  const text = readFileText(before.bytes, file.shown);
  const found = await planEdit(text.body, edit, seen === "never", slices);
  switch (found.type) {
    case "miss":
      throw fileError(await explainMiss(file.shown, text.body, edit, seen === "never", slices));
    case "ambiguous":
      throw fileError(await explainAmbiguous(file.shown, text.body, found, slices));
    case "splices":
  }
  const { splices, match } = found;
  const diff = await editDiff(text.body, splices, slices, extent);
  const bytes = toFileBytes(text, await applySplices(text.body, splices, slices));
  return { file, before, bytes, diff, places: splices.length, match };
}

/** read_file doesn't show a BOM, but some models copy one from elsewhere. */
function withoutBom(text: string): string {
  return text.replace(/^\uFEFF/, "");
}
