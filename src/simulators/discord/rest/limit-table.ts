/** One bucket: so many calls in so many milliseconds, for each major parameter (channel, server, webhook). */
export type Limit = { limit: number; windowMs: number };

/** Everything that a test or the control may set about limits. */
export type LimitSettings = {
  enabled: boolean;
  /** Calls a second over all routes; answers to interactions are outside of it. */
  globalPerSecond: number;
  /** Answers 401, 403 and 429 in ten minutes before the address is shut out. */
  invalidAllowed: number;
  /** Threads of the server that are open at a time. */
  activeThreads: number;
  /** Buckets that differ from the table, by the route as `METHOD /path/:id`. */
  overrides: Record<string, Limit>;
};

export function realLimits(): LimitSettings {
  return { enabled: true, globalPerSecond: 50, invalidAllowed: 10_000, activeThreads: 1000, overrides: {} };
}

/**
 * Discord publishes no table and asks that its headers be obeyed. These are the buckets seen in practice where they
 * are known (roles 10 in 10 s with a fixed window, each method its own; messages 5 in 5 s), and modest ones elsewhere.
 */
const table: Record<string, Limit> = {
  "PUT /guilds/:id/members/:id/roles/:id": { limit: 10, windowMs: 10_000 },
  "DELETE /guilds/:id/members/:id/roles/:id": { limit: 10, windowMs: 10_000 },
  "PATCH /guilds/:id/members/:id": { limit: 10, windowMs: 10_000 },
  "PUT /guilds/:id/members/:id": { limit: 10, windowMs: 10_000 },
  "GET /guilds/:id/members/:id": { limit: 5, windowMs: 1000 },
  "GET /guilds/:id/members": { limit: 10, windowMs: 10_000 },
  "GET /guilds/:id/members/search": { limit: 10, windowMs: 10_000 },
  "POST /guilds/:id/roles": { limit: 250, windowMs: 172_800_000 },
  "POST /channels/:id/messages": { limit: 5, windowMs: 5000 },
  "PATCH /channels/:id/messages/:id": { limit: 5, windowMs: 5000 },
  "DELETE /channels/:id/messages/:id": { limit: 5, windowMs: 1000 },
  "GET /channels/:id/messages": { limit: 5, windowMs: 1000 },
  "POST /channels/:id/threads": { limit: 50, windowMs: 300_000 },
  "PUT /channels/:id/thread-members/:id": { limit: 5, windowMs: 5000 },
  "DELETE /channels/:id/thread-members/:id": { limit: 5, windowMs: 5000 },
  "PATCH /channels/:id": { limit: 5, windowMs: 15_000 },
  "POST /users/@me/channels": { limit: 10, windowMs: 10_000 },
  "PUT /applications/:id/commands": { limit: 5, windowMs: 20_000 },
  "PUT /applications/:id/guilds/:id/commands": { limit: 5, windowMs: 20_000 },
  "POST /webhooks/:id/:token": { limit: 5, windowMs: 2000 },
  "PATCH /webhooks/:id/:token/messages/:id": { limit: 5, windowMs: 2000 },
  "GET /gateway/bot": { limit: 2, windowMs: 5000 },
  "POST /oauth2/token": { limit: 20, windowMs: 10_000 },
};
const usual: Limit = { limit: 50, windowMs: 1000 };

/** Renaming a channel has a limit of its own within that of changing it. */
export const renaming: Limit = { limit: 2, windowMs: 600_000 };

/** `null`: this route is not limited by a bucket. */
export function limitOf({ overrides }: LimitSettings, route: string): Limit | null {
  if (route.endsWith("/callback")) return null;
  return overrides[route] ?? table[route] ?? usual;
}

/** The route as Discord counts it, and the major parameter, which has buckets of its own. */
export function routeOf(method: string, path: string): { route: string; major: string } {
  const webhook = /^\/webhooks\/(\d+\/[^/]+)/.exec(path);
  const [, major = ""] = webhook ?? /^\/(?:channels|guilds)\/(\d+)/.exec(path) ?? [];
  const plain = path
    .replace(/^\/webhooks\/\d+\/[^/]+/, "/webhooks/:id/:token")
    .replace(/^\/interactions\/\d+\/[^/]+/, "/interactions/:id/:token")
    .replace(/\/messages\/(@|%40)original/, "/messages/:id")
    .replace(/\/commands\/\d+/, "/commands/:id")
    .replace(/\/\d{15,20}(?=\/|$)/g, "/:id");
  return { route: `${method} ${plain}`, major };
}
