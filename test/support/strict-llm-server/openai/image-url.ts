// An image as OpenAI takes it: an https address or a data URL whose bytes are an image.
import type { JsonValue } from "../../../../src/base/json.ts";
import { IMAGE_TYPES, imageFault, imageType } from "../image.ts";
import type { Problem } from "../wire.ts";
import { missing, wrongType } from "./parameter.ts";

export function* checkImageUrl(path: string, url: JsonValue | undefined): Generator<Problem> {
  if (url === undefined) yield missing(path);
  else if (typeof url !== "string") yield wrongType(path, "a string", url);
  else if (!/^https?:\/\//.test(url)) yield* checkDataUrl(path, url);
}

function* checkDataUrl(path: string, url: string): Generator<Problem> {
  const match = /^data:([^;,]*);base64,(.*)$/s.exec(url);
  if (match === null) {
    yield {
      path,
      message: `Invalid '${path}'. Expected a valid URL, but got a value with an invalid format.`,
      code: "invalid_value",
    };
    return;
  }
  const [, mediaType = "", data = ""] = match;
  if (!IMAGE_TYPES.includes(mediaType)) {
    yield {
      path,
      message: `Invalid MIME type. Only image types are supported.`,
      code: "invalid_image_format",
    };
    return;
  }
  // The label may name another image type: OpenAI reads the bytes.
  switch (imageFault(data, imageType(data) ?? mediaType)) {
    case "empty":
    case "not-base64":
      yield { path, message: "Invalid base64 image_url.", code: "invalid_base64" };
      return;
    case "not-an-image":
      yield {
        path,
        message:
          "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].",
        code: "invalid_image_format",
      };
  }
}
