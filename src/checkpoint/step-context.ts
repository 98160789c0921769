// What the parts of a restore hand each other: a step with its open folder, what is known meanwhile, and what came of it.
import { failureCode } from "../base/failure-code.ts";
import type { FileImage } from "../domain/file-change.ts";
import type { RestoreId } from "../domain/ids.ts";
import type { FileLook } from "./file-look.ts";
import type { OpenFolder } from "./open-folder.ts";
import type { Looking } from "./presence.ts";
import type { ConflictReason, Presence, RestoreStep } from "./restore-plan.ts";

export interface StepContext extends Looking {
  readonly restoreId: RestoreId;
  /** The bytes of a file that is to be there; null if they can't be had. */
  readonly bytesFor: (step: RestoreStep) => Uint8Array | null;
  /** How files looked when their bytes were read the last time, by path; of a process that was killed nobody knows. */
  readonly seen: ReadonlyMap<string, FileLook>;
  /** Some program may still write to the file that was moved to this name. */
  readonly isOpen: (name: string) => boolean;
}

/** A step with the folder that its file is in. */
export interface OpenStep {
  readonly step: RestoreStep;
  readonly folder: OpenFolder;
  readonly name: string;
  /** Distinguishes the names that it uses from those of other steps. */
  readonly index: number;
}

export type StepOutcome =
  | { readonly type: "done" }
  | {
      readonly type: "conflict";
      readonly why: ConflictReason;
      readonly now: FileImage;
      readonly detail?: string;
      /** Somebody else's version got another name, because theirs or ours is in its place. */
      readonly isAside?: boolean;
    };

export const DONE: StepOutcome = { type: "done" };

export function changedSince({ image }: Presence): StepOutcome {
  return { type: "conflict", why: "changed since", now: image };
}

/** A whole sentence. */
export function refusal(error: unknown): string {
  const code = failureCode(error);
  if (code === "ENOSPC" || code === "EDQUOT") return "There is no room on the disk.";
  return `The file system refused it${code === "" ? "" : ` (${code})`}.`;
}

export function temporaryNames(
  { restoreId }: StepContext,
  { index }: OpenStep,
): { readonly fresh: string; readonly moved: string } {
  const start = `${temporaryStart(restoreId)}${index}`;
  return { fresh: `${start}-new`, moved: `${start}-old` };
}

/** All names that a restore uses for a while begin like this. */
export function temporaryStart(restoreId: RestoreId): string {
  return `.tunacode-${restoreId}-`;
}

export function isThere({ calls }: StepContext, folder: OpenFolder, name: string): boolean {
  return calls.lstatSync(folder.at(name), { throwIfNoEntry: false }) !== undefined;
}
