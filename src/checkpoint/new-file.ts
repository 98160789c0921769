// The new version of a file, written beside its place under a name of ours.
import { failureCode } from "../base/failure-code.ts";
import { type OpenStep, type StepContext, temporaryNames } from "./step-context.ts";

/** Writes the new file beside its place. Returns false if its bytes can't be had. */
export function writeNew(context: StepContext, open: OpenStep): boolean {
  const { step, folder, name } = open;
  const { calls } = context;
  const { to } = step;
  if (to.type !== "file") return true;
  const bytes = context.bytesFor(step);
  if (bytes === null) return false;
  const { fresh } = temporaryNames(context, open);
  const owner = calls.lstatSync(folder.at(name), { throwIfNoEntry: false });
  const descriptor = createNew(context, folder.at(fresh));
  try {
    for (let written = 0; written < bytes.length; )
      written += calls.writeSync(descriptor, bytes, written, bytes.length - written);
    const own = calls.fstatSync(descriptor);
    if (owner?.isFile() === true && (owner.uid !== own.uid || owner.gid !== own.gid))
      keepOwner(context, descriptor, owner);
    calls.fchmodSync(descriptor, to.mode);
  } finally {
    calls.closeSync(descriptor);
  }
  return true;
}

function createNew({ calls }: StepContext, path: string): number {
  try {
    return calls.openSync(path, "wx", 0o600);
  } catch (error) {
    if (failureCode(error) !== "EEXIST") throw error;
    // A killed process left it.
    calls.unlinkSync(path);
    return calls.openSync(path, "wx", 0o600);
  }
}

function keepOwner(
  { calls }: StepContext,
  descriptor: number,
  { uid, gid }: { readonly uid: number; readonly gid: number },
): void {
  try {
    calls.fchownSync(descriptor, uid, gid);
  } catch {
    // Only root may give files away; a file that is the person's own loses nothing.
  }
}
