import { visitorMark } from "@/contract/visitor";
import { pagePathOf } from "../web/pages";
import { negotiate } from "./encodings";
import type { SiteFile } from "./files";
import { freshNonce, secureHeaders } from "./headers";
import type { NoncedPage } from "./nonced";
import { requestPath } from "./paths";

/** All that there is to answer with; nothing outside it can be reached. */
export type Contents = {
  pages: Pages;
  files: Map<string, SiteFile>;
  redirects: Map<string, string>;
  https: boolean;
};

export type Pages = { known: Map<string, NoncedPage>; notFound: NoncedPage; notFoundGuarded: NoncedPage };

export function respond(contents: Contents, request: Request): Response {
  const path = requestPath(request);
  if (request.method !== "GET" && request.method !== "HEAD") {
    return text(contents, 405, "Method not allowed", { allow: "GET, HEAD" });
  }
  const file = contents.files.get(path);
  if (file) return fileResponse(contents, request, file);
  const location = contents.redirects.get(path);
  if (location !== undefined) return text(contents, 302, "", { location });
  if (path.startsWith("/assets/")) return text(contents, 404, "Not found");
  return pageResponse(contents, request, path);
}

function pageResponse({ pages, https }: Contents, request: Request, path: string) {
  const route = pagePathOf(path);
  const page = route === undefined ? undefined : pages.known.get(route);
  const { has, bytes } = page ?? unknownPage(pages, path);
  const nonce = freshNonce();
  const encoding = negotiate(request.headers.get("accept-encoding"), has);
  // No ETag: a 304 would bring a new nonce in the policy to an old page.
  return answer(request, page ? 200 : 404, bytes(nonce, encoding), {
    ...secureHeaders({ https, nonce }),
    "content-type": "text/html; charset=utf-8",
    "cache-control": "private, no-cache",
    vary: "Accept-Encoding, Cookie",
    ...(carriesSession(request) ? {} : { "server-timing": visitorMark }),
    ...(encoding ? { "content-encoding": encoding } : {}),
  });
}

/** Whether somebody may be signed in; only the API can tell. `api/cookies.ts` names the cookie. */
function carriesSession(request: Request) {
  return /(?:^|;\s*)(?:__Host-)?session=/.test(request.headers.get("cookie") ?? "");
}

/** Below the dashboard the browser decides what an unknown path shows, so nothing is rendered before. */
function unknownPage(pages: Pages, path: string) {
  return path.startsWith("/dashboard/") ? pages.notFoundGuarded : pages.notFound;
}

function fileResponse({ https }: Contents, request: Request, file: SiteFile) {
  const encoding = negotiate(request.headers.get("accept-encoding"), (name) => file.encoded.has(name));
  const etag = `"${file.hash}${encoding ? `-${encoding}` : ""}"`;
  const headers = {
    ...secureHeaders({ https }),
    "cache-control": file.immutable ? "public, max-age=31536000, immutable" : "public, max-age=3600",
    vary: "Accept-Encoding",
    etag,
  };
  if (matches(request.headers.get("if-none-match"), etag)) {
    return new Response(null, { status: 304, headers });
  }
  const bytes = (encoding && file.encoded.get(encoding)) ?? file.bytes;
  return answer(request, 200, bytes, {
    ...headers,
    "content-type": file.type,
    ...(encoding ? { "content-encoding": encoding } : {}),
  });
}

/** If-None-Match compares weakly (RFC 9110, 13.1.2). */
function matches(condition: string | null, etag: string) {
  if (condition === null) return false;
  return (
    condition.trim() === "*" || condition.split(",").some((part) => part.trim().replace(/^W\//, "") === etag)
  );
}

type Fields = Record<string, string>;

function answer(request: Request, status: number, bytes: Uint8Array<ArrayBuffer>, fields: Fields) {
  const headers = { ...fields, "content-length": String(bytes.length) };
  return new Response(request.method === "HEAD" ? null : bytes, { status, headers });
}

function text({ https }: Contents, status: number, body: string, fields: Fields = {}) {
  const headers = {
    ...secureHeaders({ https }),
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-cache",
    ...fields,
  };
  return new Response(body, { status, headers });
}
