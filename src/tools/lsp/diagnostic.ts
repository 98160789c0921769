// A problem that a language server found, and its text for the model.
import { isJsonObject, type JsonValue } from "../../base/json.ts";

export type Severity = "error" | "warning";

export interface Diagnostic {
  readonly severity: Severity;
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly source: string;
}

export const MOST_DIAGNOSTICS = 10;
const LONGEST_MESSAGE = 300;

/** null when it is not a diagnostic, or only a hint. */
export function readDiagnostic(value: JsonValue): Diagnostic | null {
  if (!isJsonObject(value) || typeof value["message"] !== "string") return null;
  const severity = severityOf(value["severity"]);
  const start = isJsonObject(value["range"]) ? value["range"]["start"] : undefined;
  if (severity === null || start === undefined || !isJsonObject(start)) return null;
  const { line, character } = start;
  if (typeof line !== "number" || typeof character !== "number") return null;
  const code =
    typeof value["code"] === "string" || typeof value["code"] === "number" ? `${value["code"]}` : "";
  const source = typeof value["source"] === "string" ? value["source"] : "";
  return {
    severity,
    line: line + 1,
    column: character + 1,
    message: value["message"],
    source: [source, code].filter((text) => text !== "").join(" "),
  };
}

/** Lists errors first; null when there are no diagnostics. */
export function describeDiagnostics(shown: string, diagnostics: readonly Diagnostic[]): string | null {
  if (diagnostics.length === 0) return null;
  const rank = { error: 0, warning: 1 };
  const sorted = diagnostics.toSorted((a, b) => rank[a.severity] - rank[b.severity] || a.line - b.line);
  const lines = sorted.slice(0, MOST_DIAGNOSTICS).map(({ severity, line, column, message, source }) => {
    const text = message.replaceAll(/\s+/g, " ").slice(0, LONGEST_MESSAGE);
    return `${shown}:${line}:${column} ${severity}: ${text}${source === "" ? "" : ` (${source})`}`;
  });
  const more = sorted.length - lines.length;
  return ["Problems in this file now:", ...lines, ...(more > 0 ? [`And ${more} more.`] : [])].join("\n");
}

/** Information and hints are ignored. The protocol allows a missing severity, which is read as an error. */
function severityOf(value: JsonValue | undefined): Severity | null {
  if (value === undefined || value === 1) return "error";
  return value === 2 ? "warning" : null;
}
