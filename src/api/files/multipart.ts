import { streamOf } from "@/core/base/stream-of";
import type { StoredBuild } from "@/domain/releases/store";
import type { Range } from "./ranges";

/**
 * Several ranges in one `multipart/byteranges` body (RFC 9110 §14.6), streamed in turn, each part with its position in
 * the file. The server sends such a body chunked, without a length.
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
    // reads only as fast as the socket drains, and stops when the client disconnects
    body: streamOf(parts()),
  };
}
