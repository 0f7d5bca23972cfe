/**
 * As much of S3 as the shop uses, over a real socket: objects uploaded whole or in parts, their heads and ranges,
 * lists and deletions. https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html
 */
export function startBucket() {
  const objects = new Map<string, Blob>();
  const uploads = new Map<string, Map<number, Blob>>();
  const asked: string[] = [];
  const state: { down: boolean; answer: (request: Request) => Response | null } = {
    down: false,
    answer: () => null,
  };
  const xml = (body: string, status = 200) =>
    new Response(`<?xml version="1.0" encoding="UTF-8"?>${body}`, {
      status,
      headers: { "content-type": "application/xml" },
    });
  /** Two entries a page, so that reading a list takes several pages. */
  const listOf = (bucket: string, asked: URLSearchParams) => {
    const root = `${bucket.replace(/\/$/, "")}/`;
    const names = [...objects.keys()]
      .filter((key) => key.startsWith(`${root}${asked.get("prefix") ?? ""}`))
      .map((key) => key.slice(root.length))
      .toSorted();
    const from = Number(asked.get("continuation-token") ?? 0);
    const page = names.slice(from, from + 2);
    const contents = page.map(
      (name) => `<Contents><Key>${name}</Key><Size>${objects.get(root + name)?.size}</Size></Contents>`,
    );
    const more = from + 2 < names.length;
    return `<ListBucketResult><IsTruncated>${more}</IsTruncated>${more ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : ""}${contents.join("")}</ListBucketResult>`;
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    maxRequestBodySize: 1024 * 1024 * 1024,
    async fetch(request) {
      const { pathname: key, searchParams } = new URL(request.url);
      asked.push(`${request.method} ${key}`);
      const odd = state.answer(request);
      if (odd) return odd;
      if (state.down) return xml("<Error><Code>SlowDown</Code><Message>x</Message></Error>", 503);
      if (!/AWS4-HMAC-SHA256 Credential=key-id\//.test(request.headers.get("authorization") ?? "")) {
        return xml("<Error><Code>AccessDenied</Code><Message>x</Message></Error>", 403);
      }
      const upload = searchParams.get("uploadId");
      const parts = upload === null ? null : uploads.get(upload);
      if (parts === undefined)
        return xml("<Error><Code>NoSuchUpload</Code><Message>x</Message></Error>", 404);
      if (request.method === "POST" && searchParams.has("uploads")) {
        const id = crypto.randomUUID();
        uploads.set(id, new Map());
        return xml(
          `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
        );
      }
      if (request.method === "PUT") {
        const body = new Blob([await request.bytes()]);
        if (parts) parts.set(Number(searchParams.get("partNumber")), body);
        else objects.set(key, body);
        return new Response(null, { headers: { etag: '"part"' } });
      }
      if (request.method === "POST" && upload && parts) {
        const inOrder = [...parts].toSorted(([a], [b]) => a - b);
        objects.set(key, new Blob(inOrder.map(([, part]) => part)));
        uploads.delete(upload);
        return xml("<CompleteMultipartUploadResult><ETag>whole</ETag></CompleteMultipartUploadResult>");
      }
      if (request.method === "GET" && searchParams.has("list-type")) return xml(listOf(key, searchParams));
      if (request.method === "DELETE") {
        if (upload) uploads.delete(upload);
        else objects.delete(key);
        return new Response(null, { status: 204 });
      }
      const object = objects.get(key);
      if (!object) return xml("<Error><Code>NoSuchKey</Code><Message>x</Message></Error>", 404);
      if (request.method === "HEAD")
        return new Response(null, { headers: { "content-length": String(object.size), etag: '"x"' } });
      const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.get("range") ?? "") ?? [];
      if (first === undefined) return new Response(object);
      const end = last ? Number(last) + 1 : object.size;
      return new Response(object.slice(Number(first), end), {
        status: 206,
        headers: { "content-range": `bytes ${first}-${end - 1}/${object.size}` },
      });
    },
  });
  return {
    objects,
    /** Begun, and neither completed nor aborted. */
    uploads,
    asked,
    state,
    env: {
      AWS_ENDPOINT_URL_S3: server.url.origin,
      AWS_ACCESS_KEY_ID: "key-id",
      AWS_SECRET_ACCESS_KEY: "secret",
      AWS_REGION: "eu-central-1",
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}
