// Numbers as people read them.

/** 950, 1.2k, 34k, 1.5M */
export function formatCount(value: number): string {
  if (value < 1_000) return String(Math.round(value));
  if (value < 10_000) return `${(value / 1_000).toFixed(1)}k`;
  if (value < 1_000_000) return `${Math.round(value / 1_000)}k`;
  return `${(value / 1_000_000).toFixed(1)}M`;
}

/** 0.4s, 12s, 2m 05s, 1h 10m */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, ms) / 1_000;
  if (seconds < 9.95) return `${seconds.toFixed(1)}s`;
  if (seconds < 60) return `${Math.round(seconds)}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${String(Math.floor(seconds % 60)).padStart(2, "0")}s`;
  return `${Math.floor(minutes / 60)}h ${String(minutes % 60).padStart(2, "0")}m`;
}

/** Whole seconds, for what is still running: it changes once a second only. */
export function formatElapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  return seconds < 60 ? `${seconds}s` : formatDuration(seconds * 1_000);
}

/** $0.004, $0.12, $3.40 */
export function formatCost(dollars: number): string {
  if (dollars === 0) return "$0";
  return dollars < 0.01 ? `$${dollars.toFixed(4)}` : `$${dollars.toFixed(2)}`;
}

/** 14:03 */
export function formatTime(ms: number): string {
  return new Date(ms).toTimeString().slice(0, 5);
}

/** "just now", "5 min ago", "3 h ago", "2 days ago" */
export function formatAge(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 60 * 24) return `${Math.floor(minutes / 60)} h ago`;
  const days = Math.floor(minutes / 60 / 24);
  return days === 1 ? "yesterday" : `${days} days ago`;
}

export function plural(count: number, word: string): string {
  return `${formatWhole(count)} ${word}${count === 1 ? "" : "s"}`;
}

/** "2,996" */
export function formatWhole(count: number): string {
  return count.toLocaleString("en-US");
}
