// Calls back a person who looked away: with a bell, and with a message if the terminal can show one.

export type Notifications = "auto" | "bell" | "off";

/** During a shorter request people keep watching. */
export const LONG_REQUEST_MS = 10_000;

export function attentionBytes(text: string, notifications: Notifications): string {
  if (notifications === "off") return "";
  const bell = "\u0007";
  return notifications === "bell" ? bell : `\u001b]9;tunacode: ${text}${bell}${bell}`;
}
