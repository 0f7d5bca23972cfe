import { pagePathOf } from "../web/page-titles";

/**
 * The path of a request, as it was sent, without the query. `new URL(request.url)` would throw where the
 * Host header is missing (HTTP/1.0) or invalid: Bun then gives only the path as `url`.
 */
export function requestPath(request: Request): string {
  return /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^?#]*)/i.exec(request.url)?.[1] || "/";
}

/** A site path as the request metrics group it: its route, or what an unknown path looks like. */
export const siteRoute = (path: string): string =>
  pagePathOf(path) ?? (path.startsWith("/assets/") ? "/assets/*" : "/*");
