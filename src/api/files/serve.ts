import type { StoredBuild } from "@/domain/releases/store";
import { httpDate, judgeConditions, rangeHolds } from "./conditions";
import { multipart } from "./multipart";
import { type Range, readRanges } from "./ranges";

/** A file to serve. `sha256` is in hex and becomes the strong ETag; `name` is plain ASCII. */
export type Offered = { name: string; sha256: string; modified: Date };

const type = "application/octet-stream";

/** How to answer a request for a file. Empty `ranges` means the whole file. */
export type Plan =
  | { kind: "not_modified" }
  | { kind: "precondition_failed" }
  | { kind: "unsatisfiable" }
  | { kind: "send"; ranges: Range[]; bytes: number };

/** Decides the answer before anything is counted or sent. */
export function planFor(request: Request, file: Offered, size: number): Plan {
  const validators = { etag: etagOf(file), lastModified: file.modified };
  const condition = judgeConditions(request.headers, validators);
  if (condition !== "proceed") return { kind: condition };
  const obeyed = request.method === "GET" && rangeHolds(request.headers, validators);
  const ranges = obeyed ? readRanges(request.headers.get("range"), size) : null;
  if (ranges === "unsatisfiable") return { kind: "unsatisfiable" };
  if (ranges === null) return { kind: "send", ranges: [], bytes: size };
  return { kind: "send", ranges, bytes: ranges.reduce((sum, { start, end }) => sum + end - start, 0) };
}

/** The headers of answers about the file: 200, 206 and 304. */
export const fileHeaders = (file: Offered): Record<string, string> => ({
  etag: etagOf(file),
  "last-modified": httpDate(file.modified),
  "accept-ranges": "bytes",
  "content-disposition": `attachment; filename="${file.name}"`,
  // always of the whole file, even for a partial answer (RFC 9530 §3)
  "repr-digest": `sha-256=:${Buffer.from(file.sha256, "hex").toString("base64")}:`,
});

/** Sends a file, or ranges of it, without holding it in memory (RFC 9110 §15.3). */
export function send(request: Request, stored: StoredBuild, file: Offered, ranges: Range[]): Response {
  const headers = { ...fileHeaders(file), "content-type": type };
  const { size } = stored;
  const [first] = ranges;
  if (request.method === "HEAD") {
    return new Response(null, { headers: { ...headers, "content-length": String(size) } });
  }
  if (!first) return whole(request, stored, headers);
  if (ranges.length === 1) {
    const { start, end } = first;
    return new Response(stored.body(start, end), {
      status: 206,
      headers: {
        ...headers,
        "content-range": `bytes ${start}-${end - 1}/${size}`,
        "content-length": String(end - start),
      },
    });
  }
  const { contentType, body } = multipart(stored, ranges, type);
  return new Response(body, { status: 206, headers: { ...headers, "content-type": contentType } });
}

/**
 * Sends the file as a stream if the range must be ignored: with a file as the body of a 200, Bun would apply `Range`
 * itself.
 */
function whole(request: Request, stored: StoredBuild, headers: Record<string, string>): Response {
  const body = stored.body(0, stored.size);
  const plain = body instanceof Blob && request.headers.has("range") ? body.stream() : body;
  return new Response(plain, { headers: { ...headers, "content-length": String(stored.size) } });
}

const etagOf = (file: Offered) => `"${file.sha256}"`;
