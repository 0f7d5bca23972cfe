/** One bucket: `limit` calls in `windowMs` for each major parameter (channel, server, webhook). */
export type Limit = { limit: number; windowMs: number };

/** The limits that a test may set. */
export type LimitSettings = {
  enabled: boolean;
  /** Calls per second over all routes, except answers to interactions. */
  globalPerSecond: number;
  /** The most active threads in the server. */
  activeThreads: number;
  /** Buckets that replace the table's, by route, as in `METHOD /path/:id`. */
  overrides: Record<string, Limit>;
};

export function realLimits(): LimitSettings {
  return { enabled: true, globalPerSecond: 50, activeThreads: 1000, overrides: {} };
}

/**
 * Discord publishes no table and asks clients to obey its headers. These are the buckets seen in practice (roles 10 in
 * 10 s with a fixed window, each method its own; messages 5 in 5 s), and modest guesses elsewhere.
 */
const table: Record<string, Limit> = {
  "PUT /guilds/:id/members/:id/roles/:id": { limit: 10, windowMs: 10_000 },
  "DELETE /guilds/:id/members/:id/roles/:id": { limit: 10, windowMs: 10_000 },
  "PUT /guilds/:id/members/:id": { limit: 10, windowMs: 10_000 },
  "GET /guilds/:id/members/:id": { limit: 5, windowMs: 1000 },
  "GET /guilds/:id/members": { limit: 10, windowMs: 10_000 },
  "POST /channels/:id/messages": { limit: 5, windowMs: 5000 },
  "PATCH /channels/:id/messages/:id": { limit: 5, windowMs: 5000 },
  "DELETE /channels/:id/messages/:id": { limit: 5, windowMs: 1000 },
  "GET /channels/:id/messages": { limit: 5, windowMs: 1000 },
  "POST /channels/:id/threads": { limit: 50, windowMs: 300_000 },
  "PUT /channels/:id/thread-members/:id": { limit: 5, windowMs: 5000 },
  "PATCH /channels/:id": { limit: 5, windowMs: 15_000 },
  "PUT /applications/:id/guilds/:id/commands": { limit: 5, windowMs: 20_000 },
  "PATCH /webhooks/:id/:token/messages/:id": { limit: 5, windowMs: 2000 },
  "GET /gateway/bot": { limit: 2, windowMs: 5000 },
  "POST /oauth2/token": { limit: 20, windowMs: 10_000 },
};
const usual: Limit = { limit: 50, windowMs: 1000 };

/** The limit of a route; null for a route without a bucket. */
export function limitOf({ overrides }: LimitSettings, route: string): Limit | null {
  if (route.endsWith("/callback")) return null;
  return overrides[route] ?? table[route] ?? usual;
}

/** The route by which Discord counts, and its major parameter; each parameter has its own buckets. */
export function routeOf(method: string, path: string): { route: string; major: string } {
  const webhook = /^\/webhooks\/(\d+\/[^/]+)/.exec(path);
  const [, major = ""] = webhook ?? /^\/(?:channels|guilds)\/(\d+)/.exec(path) ?? [];
  const plain = path
    .replace(/^\/webhooks\/\d+\/[^/]+/, "/webhooks/:id/:token")
    .replace(/^\/interactions\/\d+\/[^/]+/, "/interactions/:id/:token")
    .replace(/\/messages\/(@|%40)original/, "/messages/:id")
    .replace(/\/\d{15,20}(?=\/|$)/g, "/:id");
  return { route: `${method} ${plain}`, major };
}
