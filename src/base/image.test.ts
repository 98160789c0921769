import { expect, test } from "bun:test";
import { WHOLE_IMAGES } from "../../test/support/small-images.ts";
import { recognizeImage, wholeImageType } from "./image.ts";

test.each(WHOLE_IMAGES)("%s is whole, also with bytes after its end", (_, type, image) => {
  expect(recognizeImage(image)).toEqual({ mediaType: type, width: 1, height: 1 });
  expect(wholeImageType(image)).toBe(type);
  expect(wholeImageType(Buffer.concat([image, Buffer.from("more")]))).toBe(type);
});

/** An animated GIF that ends between two frames still shows the first ones. */
const CUT = WHOLE_IMAGES.filter(([name]) => name !== "animated GIF");

test.each(CUT)("%s that is cut anywhere is no image", (_, type, image) => {
  // Without the padding or the trailer at its very end, some programs write it.
  const most = type === "image/jpeg" || type === "image/png" ? image.length - 1 : image.length - 2;
  const taken = [...Array(most).keys()].filter(
    (length) => wholeImageType(image.subarray(0, length)) !== null,
  );
  expect(taken).toEqual([]);
});

test("anything else is none", () => {
  for (const bytes of [
    "",
    "GIF89a is a format",
    "\x89PNG\r\n\x1a\n",
    "<svg/>",
    "RIFF0000WAVEfmt ",
    "\xff\xd8\xff\xd9",
  ])
    expect(wholeImageType(Buffer.from(bytes, "latin1"))).toBeNull();
});
