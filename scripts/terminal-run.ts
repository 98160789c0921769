// Runs a program in a pseudo-terminal and records what it writes and when.

export interface TerminalRun {
  readonly code: number;
  /** The output in pieces, each with the milliseconds since the start. */
  readonly pieces: readonly { readonly text: string; readonly at: number }[];
}

export interface TerminalRunOptions {
  readonly columns: number;
  readonly rows: number;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Called with all output so far, whenever more arrives. */
  readonly onOutput?: (written: string, send: (input: string) => void) => void;
}

export async function runInTerminal(
  argv: readonly string[],
  options: TerminalRunOptions,
): Promise<TerminalRun> {
  const { columns, rows, cwd, env, onOutput } = options;
  const pieces: { text: string; at: number }[] = [];
  const decoder = new TextDecoder();
  const started = performance.now();
  const drained = Promise.withResolvers<void>();
  let written = "";
  const program = Bun.spawn([...argv], {
    cwd,
    env: { TERM: "xterm-256color", ...env },
    terminal: {
      cols: columns,
      rows,
      data: (terminal, bytes) => {
        const text = decoder.decode(bytes, { stream: true });
        pieces.push({ text, at: performance.now() - started });
        written += text;
        onOutput?.(written, (input) => void terminal.write(input));
      },
      exit: () => drained.resolve(),
    },
  });
  const code = await program.exited;
  // The last output may arrive after the process has exited.
  await drained.promise;
  program.terminal?.close();
  return { code, pieces };
}
