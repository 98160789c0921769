// Whether a text holds nothing but white space. Looks only as far as the first character that says otherwise:
// texts can be megabytes long, and trimming would copy them.

export function isBlank(text: string): boolean {
  return !/\S/.test(text);
}
