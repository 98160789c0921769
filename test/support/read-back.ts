// Reads what visible-text.ts drew: the way back that a person takes with their eyes.

/** One line, whole. */
export function readBack(drawn: string): string {
  return drawn.replace(/⟨U\+([0-9A-F]{4,6})(?:×(\d+))?⟩|⇥ {0,3}/g, (_, number?: string, count = "1") =>
    number === undefined ? "\t" : String.fromCodePoint(Number.parseInt(number, 16)).repeat(Number(count)),
  );
}
