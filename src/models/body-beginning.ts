// The beginning of an answer's body, so that an endless one can neither block us nor fill the memory.

/** At least so many characters, or the whole body if it is shorter. */
export async function beginningOf({ body }: Response, most: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length >= most) break;
  }
  return text;
}
