// A body in pieces, as a socket would hand it over.

const PIECE = 16 * 1024;

export function inPieces(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, at + PIECE));
      at += PIECE;
    },
  });
}
