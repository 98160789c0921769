// The steps of a request: before a model call and after it, in turn.
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
  /** Visible output, where there is some. */
  readonly result?: { readonly output: string };
  /** null: the vendor said nothing about usage. */
  readonly usage: Usage | null;
}

export function isRequestNode(node: Node): node is RequestNode {
  return "request" in node;
}
