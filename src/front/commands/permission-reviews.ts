// The reviews of a session in /permissions: what a model answered in the person's place.
import { plural } from "../../base/numbers.ts";
import type { Review } from "../../domain/review.ts";
import type { ChoiceItem, Panel } from "../contract.ts";

export const REVIEWS = "reviews";

/** Stands below the modes, once there is something to see. */
export function reviewsItem(reviews: readonly Review[]): readonly ChoiceItem[] {
  if (reviews.length === 0) return [];
  const allowed = reviews.filter(({ verdict }) => verdict === "allow").length;
  const detail = `${plural(reviews.length, "call")} reviewed in the mode auto, ${allowed} allowed`;
  return [{ value: REVIEWS, label: REVIEWS, detail }];
}

/** Newest first. */
export function reviewsPanel(reviews: readonly Review[]): Panel {
  const rows = reviews.toReversed().map(({ verdict, call, reason, model }) => {
    // Only the last cell of a row is never cut.
    return [verdict === "allow" ? "allowed" : "left to you", `${call}: ${reason} (${model})`];
  });
  return { title: "Reviews in the mode auto", rows: rows.length > 0 ? rows : [["None in this session."]] };
}
