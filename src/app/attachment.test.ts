import { expect, test } from "bun:test";
import { PNG } from "../../test/support/small-images.ts";
import { tempWorkspace } from "../../test/support/temp-workspace.ts";
import { readAttachment } from "./attachment.ts";

test("an image is handed over whole, or refused with a reason where it is damaged", async () => {
  using place = tempWorkspace({});
  const read = async (bytes: Buffer) => {
    await Bun.write(place.path("picture.png"), bytes);
    return readAttachment([place.path(".")], "picture.png");
  };
  expect(await read(PNG)).toEqual({ type: "image", mediaType: "image/png", data: PNG.toString("base64") });
  for (const cut of [8, 40, PNG.length - 1])
    expect(read(PNG.subarray(0, cut))).rejects.toThrow("It is an image, but it is damaged or cut off.");
});
