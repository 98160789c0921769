// The simpler form in which a conversation goes to a vendor that refused it as it is. It applies to the messages that
// existed when the vendor took it and to its answer; later ones go whole. The conversation itself is never changed by it.
import type { Message } from "./message.ts";

export interface SimplerForm {
  readonly provider: string;
  /**
   * What is left out of the first `count` messages, or written as text: "image", "thinking" (with all that vendors
   * attach), "tool"; or one image by its type or digest, or one call by its name or id. Other words mean nothing.
   */
  readonly leftOut: readonly string[];
  readonly count: number;
  /** What is left out of all later messages as well, because the vendor refused it again. */
  readonly always?: readonly string[];
  /** Stands for the messages before `from`. */
  readonly summary?: { readonly text: string; readonly from: number };
}

/** In place of an earlier one for the same provider. */
export function withForm(forms: readonly SimplerForm[], form: SimplerForm): readonly SimplerForm[] {
  return [...forms.filter(({ provider }) => provider !== form.provider), form];
}

/** The forms after the history was rewritten: they go on covering what they covered. */
export function formsAfterRewrite(
  forms: readonly SimplerForm[],
  before: readonly Message[],
  after: readonly Message[],
): readonly SimplerForm[] {
  if (forms.length === 0) return forms;
  const places = new Map(after.map((message, at) => [message, at]));
  const found = before.map((message) => places.get(message));
  return forms.map((form) => ({
    ...form,
    count: moved(form.count, found, after.length),
    ...(form.summary && {
      summary: { ...form.summary, from: moved(form.summary.from, found, after.length) },
    }),
  }));
}

/** A border between messages, found again by the nearest unchanged messages on both sides of it. */
function moved(border: number, places: readonly (number | undefined)[], length: number): number {
  const next = places.findIndex((place, at) => at >= border && place !== undefined);
  const last = places.findLastIndex((place, at) => at < border && place !== undefined);
  const most = places[next] ?? length;
  const least = last === -1 ? 0 : (places[last] ?? 0) + 1;
  const guess = next !== -1 ? most - (next - border) : last !== -1 ? least + (border - last - 1) : length;
  return Math.max(least, Math.min(most, guess));
}
