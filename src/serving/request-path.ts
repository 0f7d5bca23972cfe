import { pagePathOf } from "../web/page/titles";

/**
 * The path of a request as sent, without the query. `new URL(request.url)` would throw if the Host header is missing
 * (HTTP/1.0) or invalid, because Bun then gives only the path as `url`.
 */
export function requestPath(request: Request): string {
  return /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^?#]*)/i.exec(request.url)?.[1] || "/";
}

/** The label of a site path in the request metrics: its route, or the kind of unknown path. */
export const siteRoute = (path: string): string =>
  pagePathOf(path) ?? (path.startsWith("/assets/") ? "/assets/*" : "/*");
