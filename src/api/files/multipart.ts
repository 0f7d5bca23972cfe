import type { StoredBuild } from "@/domain/releases/store";
import type { Range } from "./ranges";

/**
 * Several ranges in one body, `multipart/byteranges` (RFC 9110 §14.6): each part with its place in the
 * file, streamed one after the other. The server sends such a body in chunks, without a length.
 */
export function multipart(stored: StoredBuild, ranges: Range[], type: string) {
  const boundary = crypto.randomUUID();
  const heads = ranges.map(
    ({ start, end }, at) =>
      `${at === 0 ? "" : "\r\n"}--${boundary}\r\nContent-Type: ${type}\r\n` +
      `Content-Range: bytes ${start}-${end - 1}/${stored.size}\r\n\r\n`,
  );
  const tail = `\r\n--${boundary}--\r\n`;
  async function* parts() {
    for (const [at, { start, end }] of ranges.entries()) {
      yield Buffer.from(heads[at] ?? "");
      const body = stored.body(start, end);
      yield* body instanceof Blob ? body.stream() : body;
    }
    yield Buffer.from(tail);
  }
  return {
    contentType: `multipart/byteranges; boundary=${boundary}`,
    body: streamOf(parts()),
  };
}

/** Pulls only when the socket has room, and stops reading when the client has gone. */
function streamOf(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}
