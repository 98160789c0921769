// Turns ripgrep's JSON records into text for the model: lines grouped by file, long ones cut.
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "../base/json.ts";
import { stripTerminalControls } from "../base/terminal-text.ts";

export interface GrepReportOptions {
  readonly maxMatches: number;
  readonly accepts: (path: string) => boolean;
  readonly show: (path: string) => string;
}

/** Below the cap of any return (50,000), so that this report itself says how many matches it leaves out. */
const MAX_CHARACTERS = 40_000;
const MAX_LINE_CHARACTERS = 250;
const BEFORE_MATCH_CHARACTERS = 80;

export function createGrepReport({ maxMatches, accepts, show }: GrepReportOptions) {
  const files = new Map<string, string[]>();
  let matches = 0;
  let characters = 0;

  return {
    /** Returns true once the report is full. */
    add(record: string): boolean {
      const entry = readRecord(record);
      if (entry === null || !accepts(entry.path)) return false;
      const lines = files.get(entry.path) ?? [];
      files.set(entry.path, lines);
      lines.push(...entry.lines);
      for (const line of entry.lines) characters += line.length + 1;
      if (entry.isMatch) matches++;
      return matches >= maxMatches || characters >= MAX_CHARACTERS;
    },
    matches: () => matches,
    /** Sorted by file name. */
    lines: () =>
      [...files].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([path, lines]) => [show(path), ...lines]),
  };
}

interface Entry {
  readonly path: string;
  readonly lines: readonly string[];
  readonly isMatch: boolean;
}

function readRecord(record: string): Entry | null {
  const parsed = parseJson(record);
  if (!parsed.ok) return readCutRecord(record);
  if (!isJsonObject(parsed.value)) return null;
  const { type, data } = parsed.value;
  if ((type !== "match" && type !== "context") || !isJsonObject(data)) return null;
  const isMatch = type === "match";
  const sign = isMatch ? ":" : "-";
  const number = typeof data["line_number"] === "number" ? data["line_number"] : 0;
  const texts = text(data["lines"])
    .replace(/\r?\n$/, "")
    .split(/\r?\n/);
  const lines = texts.map((line, index) => {
    const matchByte = index === 0 ? firstMatch(data) : 0;
    return `  ${number + index}${sign} ${cutAround(line, matchByte)}`;
  });
  return { path: withoutDot(text(data["path"])), isMatch, lines };
}

/** The record of a line of megabytes was cut, but it begins with the path. */
function readCutRecord(record: string): Entry | null {
  const name = /^\{"type":"match","data":\{"path":\{"text":("(?:[^"\\]|\\.)*")/.exec(record)?.[1];
  const parsed = name === undefined ? null : parseJson(name);
  if (parsed?.ok !== true || typeof parsed.value !== "string") return null;
  const lines = ["  a match in a line too long to show"];
  return { path: withoutDot(parsed.value), isMatch: true, lines };
}

function withoutDot(name: string): string {
  return name.replace(/^\.\//, "");
}

/** ripgrep encodes bytes that aren't UTF-8 as base64. */
function text(value: JsonValue | undefined): string {
  if (!isJsonObject(value)) return "";
  if (typeof value["text"] === "string") return value["text"];
  return typeof value["bytes"] === "string" ? Buffer.from(value["bytes"], "base64").toString() : "";
}

/** Where the first match begins, in bytes. */
function firstMatch(data: JsonObject): number {
  const submatches = data["submatches"];
  const first: JsonValue | undefined = Array.isArray(submatches) ? submatches[0] : undefined;
  return isJsonObject(first) && typeof first["start"] === "number" ? first["start"] : 0;
}

function cutAround(line: string, matchByte: number): string {
  if (line.length <= MAX_LINE_CHARACTERS) return stripTerminalControls(line);
  const match = Buffer.from(line).subarray(0, matchByte).toString().length;
  const start = Math.max(0, Math.min(match - BEFORE_MATCH_CHARACTERS, line.length - MAX_LINE_CHARACTERS));
  const end = start + MAX_LINE_CHARACTERS;
  const shown = stripTerminalControls(line.slice(start, end).toWellFormed());
  return `${start > 0 ? "…" : ""}${shown}${end < line.length ? "…" : ""}`;
}
