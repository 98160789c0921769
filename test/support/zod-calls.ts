// Which parts of zod a program text uses: `z.object`, and `.nullish` of what it made. Read from the text, because a
// package makes most of its schemas only when somebody needs them.

export interface ZodCalls {
  readonly makers: ReadonlySet<string>;
  readonly methods: ReadonlySet<string>;
}

export function zodCalls(source: string): ZodCalls {
  const makers = new Set<string>();
  const methods = new Set<string>();
  for (const { 1: maker = "", index, 0: start } of source.matchAll(/\bz\.([\w.]+)\(/g)) {
    makers.add(maker);
    let end = afterBrackets(source, index + start.length);
    for (let next = METHOD.exec(source.slice(end, end + 100)); next !== null; ) {
      methods.add(next[1] ?? "");
      end = afterBrackets(source, end + next[0].length);
      next = METHOD.exec(source.slice(end, end + 100));
    }
  }
  return { makers, methods };
}

const METHOD = /^\s*\.(\w+)\(/;
const SKIPPED = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\/|[()]/g;

/** The place after the bracket that closes the one before `from`. */
function afterBrackets(source: string, from: number): number {
  const pieces = new RegExp(SKIPPED);
  pieces.lastIndex = from;
  for (let open = 1; open > 0; ) {
    const piece = pieces.exec(source)?.[0];
    if (piece === undefined) throw new Error(`A bracket stays open after ${source.slice(from - 60, from)}`);
    if (piece === "(") open += 1;
    if (piece === ")") open -= 1;
  }
  return pieces.lastIndex;
}
