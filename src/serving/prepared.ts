import { type Encoding, encodings, negotiate } from "./encodings";
import type { SiteFile } from "./files";

type Fields = Readonly<Record<string, string>>;
type Version = { bytes: Uint8Array<ArrayBuffer>; etag: string; headers: Fields; unchanged: Fields };

/** A file or page ready to send, with each encoding's headers made once. */
export type Prepared = { status: number; versions: Map<Encoding | undefined, Version> };

/** @param tag distinguishes the ETags of answers that differ only in their headers */
export function prepare(file: SiteFile, status: number, fields: Fields, tag = ""): Prepared {
  const versions = new Map<Encoding | undefined, Version>();
  for (const encoding of [undefined, ...encodings]) {
    const bytes = encoding ? file.encoded.get(encoding) : file.bytes;
    if (!bytes) continue;
    const etag = `"${file.hash}${tag}${encoding ? `-${encoding}` : ""}"`;
    const unchanged = { ...fields, etag };
    const headers = {
      ...unchanged,
      "content-type": file.type,
      "content-length": String(bytes.length),
      ...(encoding ? { "content-encoding": encoding } : {}),
    };
    versions.set(encoding, { bytes, etag, headers, unchanged });
  }
  return { status, versions };
}

/** Answers GET and HEAD in the best encoding, or with 304 if the client has this version already. */
export function sendPrepared({ status, versions }: Prepared, request: Request): Response {
  const encoding = negotiate(request.headers.get("accept-encoding"), (name) => versions.has(name));
  const version = versions.get(encoding);
  if (!version) throw new Error("Every prepared answer has an uncompressed version");
  const { bytes, etag, headers, unchanged } = version;
  if (status === 200 && matches(request.headers.get("if-none-match"), etag))
    return new Response(null, { status: 304, headers: unchanged });
  return new Response(request.method === "HEAD" ? null : bytes, { status, headers });
}

/** If-None-Match compares weakly (RFC 9110, 13.1.2). */
function matches(condition: string | null, etag: string) {
  if (condition === null) return false;
  return (
    condition.trim() === "*" || condition.split(",").some((part) => part.trim().replace(/^W\//, "") === etag)
  );
}
