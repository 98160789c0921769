// Kinds of content that a vendor suddenly refuses, with what it says: in the words of real vendors where they are known,
// or in words that name nothing.
import { type BodyPiece, isEmptyObject } from "./body-pieces.ts";
import { PNG } from "./small-images.ts";
import { GOOD_IMAGE } from "./wedged-session.ts";

export interface RefusedContent {
  readonly name: string;
  /** What it finds to refuse; undefined: it accepts the body. */
  readonly finds: (pieces: readonly BodyPiece[]) => BodyPiece | undefined;
  readonly says: (piece: BodyPiece) => string;
  readonly status?: number;
  /** A good image is refused as well, or the vendor's own answers hold it: it is refused once more. */
  readonly returns?: true;
}

const isBadImage = ({ kind, text }: BodyPiece) => kind === "image" && text !== GOOD_IMAGE;
const isFirstImage = ({ kind, text }: BodyPiece) => kind === "image" && text === PNG.toString("base64");
const isTool = ({ kind }: BodyPiece) => kind === "call" || kind === "result";

function one(is: (piece: BodyPiece) => boolean): RefusedContent["finds"] {
  return (pieces) => pieces.find(is);
}

function ofKind(...kinds: readonly BodyPiece["kind"][]): RefusedContent["finds"] {
  return one(({ kind }) => kinds.includes(kind));
}

function moreThan(count: number, is: (piece: BodyPiece) => boolean): RefusedContent["finds"] {
  return (pieces) => pieces.filter(is)[count];
}

export const REFUSED_CONTENT: readonly RefusedContent[] = [
  { name: "a bad image", finds: one(isBadImage), says: () => "Could not process image" },
  {
    name: "one image, by its place",
    finds: one(isFirstImage),
    says: ({ place }) =>
      `${place}.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels`,
  },
  {
    name: "one type of image",
    finds: one(({ type }) => type === "image/webp"),
    says: () => "Unsupported MIME type: image/webp",
  },
  {
    name: "a bad image, without naming it",
    finds: one(isBadImage),
    says: () => "Request contains an invalid argument.",
  },
  {
    name: "a bad image, in a list of errors",
    finds: one(isBadImage),
    says: ({ message }) =>
      JSON.stringify([
        { loc: ["body", "messages", message, "content"], msg: "Input should be a valid string" },
      ]),
    status: 422,
  },
  {
    name: "every image, with a 404",
    finds: ofKind("image"),
    says: () => "No endpoints found that support image input",
    status: 404,
    returns: true,
  },
  {
    name: "every image, with a 500",
    finds: ofKind("image"),
    says: () =>
      "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
    status: 500,
    returns: true,
  },
  {
    name: "every image, because of the model",
    finds: ofKind("image"),
    says: () => "some-model is not a multimodal model",
    returns: true,
  },
  {
    name: "two images",
    finds: moreThan(1, ({ kind }) => kind === "image"),
    says: () => "Too many images in request",
  },
  {
    name: "a large body",
    finds: one(isBadImage),
    says: () => "Request Entity Too Large",
    status: 413,
  },
  {
    name: "a large body, with a 400",
    finds: one(isBadImage),
    says: () => "Request payload size exceeds the limit: 20971520 bytes.",
  },
  {
    name: "thinking",
    returns: true,
    finds: ofKind("thinking", "signature"),
    says: () => "Thinking blocks can't be passed to this endpoint.",
  },
  {
    name: "a thought, by its place",
    returns: true,
    finds: ofKind("thinking", "signature"),
    says: ({ place }) => `${place}: Invalid \`signature\` in \`thinking\` block`,
  },
  {
    name: "thinking, without naming it",
    returns: true,
    finds: ofKind("thinking", "signature"),
    says: () => "Bad request",
  },
  {
    name: "signatures",
    returns: true,
    finds: ofKind("thinking", "signature"),
    says: () => "The encrypted content could not be verified.",
  },
  {
    name: "signatures, without naming them",
    returns: true,
    finds: ofKind("thinking", "signature"),
    says: () => "Provider returned error",
  },
  {
    name: "the name of a tool, by its place",
    finds: one(({ kind, name }) => kind === "call" && name === "read_file"),
    says: ({ place }) => `Invalid '${place}.name': string does not match pattern '^[a-z]+$'.`,
  },
  {
    name: "the name of a tool, without naming it",
    finds: one(({ kind, name }) => kind === "call" && name === "list_dir"),
    says: () => "invalid character in literal",
  },
  {
    name: "the form of a call's id, by its place",
    finds: one(({ kind, id = "" }) => kind === "result" && id.includes("_")),
    says: ({ place }) => `${place}: String should match pattern '^[a-zA-Z0-9]+$'`,
  },
  {
    name: "a call by its id",
    finds: one(({ kind, text }) => kind === "call" && isEmptyObject(text)),
    says: ({ id }) => `No tool output found for function call ${id}.`,
  },
  {
    name: "two calls in one response",
    finds: (pieces) => pieces.find(({ kind }, at) => kind === "call" && pieces[at + 1]?.kind === "call"),
    says: () => "This model only supports single tool-calls at once!",
  },
  {
    name: "a call without arguments",
    finds: one(({ kind, text }) => kind === "call" && isEmptyObject(text)),
    says: () => "Value is not a struct: null",
  },
  {
    name: "odd arguments",
    finds: one(({ kind, text }) => kind === "call" && text.includes("[[1")),
    says: () =>
      "Failed to deserialize the JSON body into the target type: invalid type: sequence, expected a string",
  },
  {
    name: "odd arguments, by their place",
    finds: one(({ kind, text }) => kind === "call" && text.includes("null")),
    says: ({ place }) => `${place}: Input should be a valid dictionary`,
  },
  {
    name: "a failed result",
    finds: one(({ kind, text }) => kind === "result" && text.includes("missing.txt")),
    says: () => "tool_result.is_error: not accepted",
  },
  {
    name: "the whole grammar of tools",
    finds: one(isTool),
    says: () => "Unexpected role 'tool' after role 'assistant'",
  },
  { name: "the whole grammar of tools, without naming it", finds: one(isTool), says: () => "Bad Request" },
  {
    name: "the order of roles",
    finds: one(isTool),
    says: () => "Conversation roles must alternate user/assistant/user/assistant/...",
    status: 500,
  },
  {
    name: "a response without a text",
    finds: (pieces) =>
      pieces.find(
        ({ kind, message }) =>
          kind === "call" && !pieces.some((other) => other.kind === "text" && other.message === message),
      ),
    says: () => "Assistant message must have either content or tool_calls, but not none.",
  },
  {
    name: "everything but text",
    returns: true,
    finds: (pieces) => pieces.find((piece) => piece.kind !== "text" && piece.text !== GOOD_IMAGE),
    says: () => "Unprocessable Entity",
    status: 422,
  },
  {
    name: "a special token in a result",
    finds: one(({ text }) => text.includes("<|im_end|>")),
    says: () => "The input holds a special token.",
  },
  {
    name: "a special token in an answer",
    finds: one(({ text }) => text.includes("<|endoftext|>")),
    says: () => "Request contains an invalid argument.",
  },
  {
    name: "what a person said",
    finds: one(({ text }) => text.includes("zanzibar")),
    says: () => "Invalid prompt: your prompt was flagged as potentially violating our usage policy.",
  },
  {
    name: "many messages",
    finds: one(({ message }) => message > 9),
    says: () => "Too many messages in the conversation",
  },
];
