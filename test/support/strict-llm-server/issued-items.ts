// What a server has issued and checks later: stored items, and which thinking belongs to which calls. Signatures
// need no memory (seal.ts).

export interface IssuedItems {
  /** OpenAI Responses: items kept because the request did not say store: false. */
  readonly stored: Map<string, StoredItem>;
  /** OpenAI Responses: item id -> the reasoning item that was written before it. */
  readonly reasoningOf: Map<string, string>;
  /** Chat format of the DeepSeek kind: ids of calls that were written with reasoning_content. */
  readonly reasonedCalls: Set<string>;
}

export interface StoredItem {
  readonly type: string;
  readonly callId?: string;
}

export function noIssuedItems(): IssuedItems {
  return { stored: new Map(), reasoningOf: new Map(), reasonedCalls: new Set() };
}

let minted = 0;

/** Unique in this process, so that histories may move between servers. */
export function mintId(prefix: string): string {
  minted += 1;
  return `${prefix}${String(minted).padStart(24, "0")}`;
}
