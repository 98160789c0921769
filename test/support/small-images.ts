// Whole images of every kind that vendors take, as small as they can be.

function bytes(base64: string): Buffer {
  return Buffer.from(base64, "base64");
}

export const PNG = bytes(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);
export const OTHER_PNG = bytes(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=",
);
export const GIF = bytes("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7");
export const WEBP_LOSSY = bytes("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA");
export const WEBP_LOSSLESS = bytes("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==");
export const WEBP_ALPHA = bytes(
  "UklGRkoAAABXRUJQVlA4WAoAAAAQAAAAAAAAAAAAQUxQSAwAAAARBxAR/Q9ERP8DAABWUDggGAAAABQBAJ0BKgEAAQAAAP4AAA3AAP7mtQAAAA==",
);
export const WEBP_ANIMATED = bytes(
  "UklGRlIAAABXRUJQVlA4WAoAAAASAAAAAAAAAAAAQU5JTQYAAAD/////AABBTk1GJgAAAAAAAAAAAAAAAAAAAGQAAABWUDhMDQAAAC8AAAAQBxAREYiI/gcA",
);
export const JPEG = bytes(
  "/9j/4AAQSkZJRgABAQEAYABgAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4zNDL/wAALCAABAAEBAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQAAPwCf/9k=",
);

/** The same scan twice, as a progressive JPEG has several, behind a comment that holds an end of its own. */
export const JPEG_PROGRESSIVE = (() => {
  const frame = JPEG.indexOf("\xff\xc0", 0, "latin1");
  const scan = JPEG.indexOf("\xff\xda", 0, "latin1");
  const comment = Buffer.from("\xff\xfe\x00\x06\xff\xd8\xff\xd9", "latin1");
  const body = Buffer.from(JPEG.subarray(frame));
  body[1] = 0xc2;
  const scans = [body.subarray(0, -2), JPEG.subarray(scan)];
  return Buffer.concat([JPEG.subarray(0, 2), comment, JPEG.subarray(2, frame), ...scans]);
})();

/** Two frames with a delay, and a local colour table. */
export const GIF_ANIMATED = (() => {
  const frame = Buffer.from("\x21\xf9\x04\x00\x0a\0\0\0\x2c\0\0\0\0\x01\0\x01\0", "latin1");
  const picture = Buffer.from([2, 2, 0x44, 1, 0]);
  const local = Buffer.from([0x80, 1, 2, 3, 4, 5, 6]);
  const head = GIF.subarray(0, 19);
  const loop = Buffer.from("\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0", "latin1");
  return Buffer.concat([head, loop, frame, Buffer.of(0), picture, frame, local, picture, Buffer.of(0x3b)]);
})();

export const WHOLE_IMAGES: readonly (readonly [name: string, type: string, image: Buffer])[] = [
  ["PNG", "image/png", PNG],
  ["grey PNG", "image/png", OTHER_PNG],
  ["GIF", "image/gif", GIF],
  ["animated GIF", "image/gif", GIF_ANIMATED],
  ["lossy WebP", "image/webp", WEBP_LOSSY],
  ["lossless WebP", "image/webp", WEBP_LOSSLESS],
  ["WebP with alpha", "image/webp", WEBP_ALPHA],
  ["animated WebP", "image/webp", WEBP_ANIMATED],
  ["JPEG", "image/jpeg", JPEG],
  ["progressive JPEG", "image/jpeg", JPEG_PROGRESSIVE],
];
