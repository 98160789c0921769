// The steps of a request, in turn: one before each model call and one after it.
import type { Request, Response } from "../domain/message.ts";
import type { Usage } from "../domain/usage.ts";

export type Node = RequestNode | ResponseNode;

/** Goes to the model: a prompt, or tool returns. */
export interface RequestNode {
  readonly request: Request;
}

/** Came from the model. */
export interface ResponseNode {
  readonly modelResponse: Response;
  readonly thought?: string;
  /** The visible output, if there is any. */
  readonly result?: { readonly output: string };
  /** null: the vendor said nothing about usage. */
  readonly usage: Usage | null;
}

export function isRequestNode(node: Node): node is RequestNode {
  return "request" in node;
}
