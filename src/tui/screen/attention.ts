// Calls a person back who looked away: a bell, and a message where the terminal knows how to show one.

export type Notifications = "auto" | "bell" | "off";

/** Shorter requests are waited for. */
export const LONG_REQUEST_MS = 10_000;

export function attentionBytes(text: string, notifications: Notifications): string {
  if (notifications === "off") return "";
  const bell = "\u0007";
  return notifications === "bell" ? bell : `\u001b]9;tunacode: ${text}${bell}${bell}`;
}
