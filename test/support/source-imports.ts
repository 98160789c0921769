// Reads a TypeScript source just well enough for the architecture check: its code without comments and strings, and
// its imports. Type imports are included, which a bundler's scanner would skip.

export interface SourceReading {
  /** The source without comments, with empty strings except for module names. */
  readonly code: string;
  /** Module names as written: static, dynamic and type imports, re-exports. */
  readonly imports: readonly string[];
  /** What its string literals hold, module names aside. */
  readonly strings: readonly string[];
}

export function readSource(text: string): SourceReading {
  const strings: string[] = [];
  const code = text.replace(TOKEN, (token, offset: number) => {
    if (token.startsWith("//") || token.startsWith("/*")) return token.replace(/[^\n]/g, "");
    const isModuleName = /\b(?:from|import)\s*\(?\s*$/.test(text.slice(Math.max(0, offset - 40), offset));
    if (!isModuleName && !token.startsWith("/")) strings.push(token.slice(1, -1));
    if (!isModuleName || token.startsWith("/")) return '""';
    return `"${token.slice(1, -1)}"`;
  });
  const imports = [...code.matchAll(MODULE_NAME)].flatMap((match) => match[1] || []);
  return { code, imports, strings };
}

const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/;
const QUOTED = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/;
const STRING = new RegExp(`${QUOTED.source}|${template(2)}`);
// A slash starts a regular expression only where an expression can start. Elsewhere it is a division.
const PATTERN = /(?<=(?:[=(,:[!&|?{};]|\breturn|^)\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/;
const TOKEN = new RegExp([COMMENT, STRING, PATTERN].map((piece) => piece.source).join("|"), "gm");
const MODULE_NAME = /\b(?:from\s*|import\s*\(?\s*|require\s*\(\s*)"([^"]+)"/g;

/** The pattern of a template literal. Without the inner ones, the code after one would be taken for a string. */
function template(innerLevels: number): string {
  const inner = innerLevels === 0 ? [] : [template(innerLevels - 1)];
  const code = [QUOTED.source, String.raw`\{[^{}]*\}`, ...inner, "[^{}`]"].join("|");
  return `\`(?:\\\\[\\s\\S]|\\$\\{(?:${code})*\\}|[^\`\\\\])*\``;
}
