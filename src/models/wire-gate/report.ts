// Where a check is in the body, and what it has found there. The path is written only when something is found: most
// bodies are valid, and have tens of thousands of places.

export class BodyReport {
  readonly violations: string[] = [];
  readonly #path: (string | number)[] = [];

  /** place: relative to where the check is, as in .content or .source.data. */
  here(place: string, problem: string): void {
    const path = this.#path.map((step) => (typeof step === "number" ? `[${step}]` : step));
    this.there(path.join("") + place, problem);
  }

  /** place: from the body's own fields on, wherever the check is. */
  there(place: string, problem: string): void {
    this.violations.push(`${place}: ${problem}`);
  }

  /** What follows is about an entry of a list, until it is left. */
  enter(list: string, index: number): void {
    this.#path.push(list, index);
  }

  leave(): void {
    this.#path.length -= 2;
  }
}
