// Whether a text is only white space. The search stops at the first other character, while trimming would copy a
// text that can be megabytes long.

export function isBlank(text: string): boolean {
  return !/\S/.test(text);
}
