// The redirections of a rebuilt command. A here-document is printed as a here-string, which needs no line of its own.
import type { Redirection } from "unbash";
import { isStream } from "../base/real-path.ts";
import { NotRebuilt, type Rebuilding } from "./rebuild-state.ts";
import { quote, rebuildKnownWord, rebuildParts } from "./rebuild-word.ts";
import type { RedirectUse } from "./shell-command.ts";

interface RebuiltRedirects {
  readonly texts: readonly string[];
  readonly uses: readonly RedirectUse[];
}

export function rebuildRedirects(redirects: readonly Redirection[], state: Rebuilding): RebuiltRedirects {
  const uses: RedirectUse[] = [];
  const texts = redirects.map((redirect) => {
    if (redirect.descriptor?.type === "FileDescriptorVariable") throw new NotRebuilt("it sets a variable");
    const descriptor = String(redirect.descriptor?.value ?? "");
    if (redirect.type !== "Redirect") return descriptor + hereText(redirect, state);
    const { operator, target } = redirect;
    if (target === undefined) throw new NotRebuilt("it can't be parsed");
    // `>&2` and `<&-` refer to a descriptor, not to a file.
    if (/^[<>]&$/.test(operator) && /^(\d+-?|-)$/.test(target.text))
      return descriptor + operator + target.text;
    const path = rebuildKnownWord(target, state);
    const isRead = operator === "<";
    if (!isRead && !isStream(path)) throw new NotRebuilt(`it writes to ${path}`);
    uses.push({ access: isRead ? "read" : "write", target: path });
    return descriptor + operator + quote(path);
  });
  return { texts, uses };
}

function hereText(redirect: Exclude<Redirection, { type: "Redirect" }>, state: Rebuilding): string {
  if (redirect.type === "HereString") {
    if (redirect.target === undefined) throw new NotRebuilt("it can't be parsed");
    const { text, value, parts } = redirect.target;
    // No word is split here and no glob is expanded, but a tilde is.
    if (text.startsWith("~")) throw new NotRebuilt("it computes its input");
    return `<<<${parts === undefined ? quote(value) : rebuildParts(parts, state, true)}`;
  }
  const { body, closing, delimiter, operator } = redirect;
  if (closing === undefined || operator !== "<<")
    throw new NotRebuilt("it has a here-document of an odd kind");
  if (delimiter?.quoted !== true && body.text.includes("\\")) throw new NotRebuilt("its input has escapes");
  if (body.text === "") return "</dev/null";
  if (!body.text.endsWith("\n")) throw new NotRebuilt("its input has no end");
  if (delimiter?.quoted === true || body.parts === undefined) return `<<<${quote(body.text.slice(0, -1))}`;
  // A here-string adds the last line's end itself.
  const last = body.parts.at(-1);
  if (last?.type !== "Literal" || !last.value.endsWith("\n")) throw new NotRebuilt("its input has no end");
  const parts = [...body.parts.slice(0, -1), { ...last, value: last.value.slice(0, -1) }];
  return `<<<${rebuildParts(parts, state, true)}`;
}
