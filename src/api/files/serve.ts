import type { StoredBuild } from "@/domain/releases/store";
import { streamOf } from "@/core/base/stream-of";
import { type Range, readRanges } from "./ranges";

/** A file to serve. `sha256` is in hex and becomes the strong ETag; `name` is plain ASCII. */
export type ServedFile = { name: string; sha256: string; modified: Date };

const type = "application/octet-stream";

/** How to answer a request for a file. Empty `ranges` means the whole file. */
type Plan =
  | { kind: "not_modified" }
  | { kind: "precondition_failed" }
  | { kind: "unsatisfiable" }
  | { kind: "send"; ranges: Range[]; bytes: number };

/** Decides the answer before anything is counted or sent. */
export function planFor(request: Request, file: ServedFile, size: number): Plan {
  const validators = { etag: etagOf(file), lastModified: file.modified };
  const condition = evaluateConditions(request.headers, validators);
  if (condition !== "proceed") return { kind: condition };
  const obeyed = request.method === "GET" && rangeHolds(request.headers, validators);
  const ranges = obeyed ? readRanges(request.headers.get("range"), size) : null;
  if (ranges === "unsatisfiable") return { kind: "unsatisfiable" };
  if (ranges === null) return { kind: "send", ranges: [], bytes: size };
  return { kind: "send", ranges, bytes: ranges.reduce((sum, { start, end }) => sum + end - start, 0) };
}

/** The headers of answers about the file: 200, 206 and 304. */
export const fileHeaders = (file: ServedFile): Record<string, string> => ({
  etag: etagOf(file),
  "last-modified": httpDate(file.modified),
  "accept-ranges": "bytes",
  "content-disposition": `attachment; filename="${file.name}"`,
  // always of the whole file, even for a partial answer (RFC 9530 §3)
  "repr-digest": `sha-256=:${Buffer.from(file.sha256, "hex").toString("base64")}:`,
});

/** Sends a file, or ranges of it, without holding it in memory (RFC 9110 §15.3). */
export function sendRanges(
  request: Request,
  stored: StoredBuild,
  file: ServedFile,
  ranges: Range[],
): Response {
  const headers = { ...fileHeaders(file), "content-type": type };
  const { size } = stored;
  const [first] = ranges;
  if (request.method === "HEAD") {
    return new Response(null, { headers: { ...headers, "content-length": String(size) } });
  }
  if (!first) return wholeFile(request, stored, headers);
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
function wholeFile(request: Request, stored: StoredBuild, headers: Record<string, string>): Response {
  const body = stored.body(0, stored.size);
  const plain = body instanceof Blob && request.headers.has("range") ? body.stream() : body;
  return new Response(plain, { headers: { ...headers, "content-length": String(stored.size) } });
}

const etagOf = (file: ServedFile) => `"${file.sha256}"`;

/**
 * Several ranges in one `multipart/byteranges` body (RFC 9110 §14.6), streamed in turn, each part with its position in
 * the file. The server sends such a body chunked, without a length.
 */
function multipart(stored: StoredBuild, ranges: Range[], type: string) {
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

/** What distinguishes one version of a file from another. */
type Validators = { etag: string; lastModified: Date };

type Condition = "proceed" | "not_modified" | "precondition_failed";

/**
 * Evaluates the conditions of a GET or HEAD in the order of RFC 9110 §13.2.2. Compares dates for equality, like nginx:
 * after a release is withdrawn the current file is an older one, and "not newer than" would keep the withdrawn copy in
 * caches.
 */
function evaluateConditions(headers: Headers, { etag, lastModified }: Validators): Condition {
  const ifMatch = headers.get("if-match");
  const unmodifiedSince = headers.get("if-unmodified-since");
  if (ifMatch !== null) {
    if (!listsTag(ifMatch, etag, "strong")) return "precondition_failed";
  } else if (unmodifiedSince !== null && isDate(unmodifiedSince)) {
    if (!isSame(unmodifiedSince, lastModified)) return "precondition_failed";
  }
  const noneMatch = headers.get("if-none-match");
  if (noneMatch !== null) return listsTag(noneMatch, etag, "weak") ? "not_modified" : "proceed";
  const modifiedSince = headers.get("if-modified-since");
  return modifiedSince !== null && isSame(modifiedSince, lastModified) ? "not_modified" : "proceed";
}

/** Whether to honour `Range`: only if `If-Range` still matches the current file (§13.1.5). */
function rangeHolds(headers: Headers, { etag, lastModified }: Validators): boolean {
  const ifRange = headers.get("if-range")?.trim();
  if (ifRange === undefined) return true;
  // a weak validator never matches here
  return ifRange.startsWith('"') ? ifRange === etag : isSame(ifRange, lastModified);
}

/** HTTP dates have whole seconds. */
const httpDate = (date: Date) => date.toUTCString();

const isDate = (text: string) => !Number.isNaN(Date.parse(text));
const isSame = (text: string, date: Date) => Date.parse(text) === Date.parse(httpDate(date));

function listsTag(header: string, etag: string, comparison: "strong" | "weak"): boolean {
  if (header.trim() === "*") return true;
  const tags = header.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => (comparison === "weak" ? tag.replace(/^W\//, "") : tag) === etag);
}
