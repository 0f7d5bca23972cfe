import { word } from "../ids";
import type { World } from "../world";

/** One bucket: `limit` calls in `windowMs` for each major parameter (channel, server, webhook). */
export type Limit = { limit: number; windowMs: number };

/** What a test may set about limits. */
export type LimitSettings = {
  enabled: boolean;
  /** Calls a second over all routes; answers to interactions do not count. */
  globalPerSecond: number;
  /** Answers 401, 403 and 429 in ten minutes before the address is blocked. */
  invalidAllowed: number;
  /** Active threads of the server at a time. */
  activeThreads: number;
  /** Buckets that differ from the table, by route, as in `METHOD /path/:id`. */
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

/** Renaming a channel has its own limit within the limit of changing it. */
const renaming: Limit = { limit: 2, windowMs: 600_000 };

/** Null for a route without a bucket. */
function limitOf({ overrides }: LimitSettings, route: string): Limit | null {
  if (route.endsWith("/callback")) return null;
  return overrides[route] ?? table[route] ?? usual;
}

/** The route as Discord counts it, and its major parameter, which has its own buckets. */
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

export type Overrun = { scope: "user" | "global"; retryMs: number };
export type Buckets = {
  /** Takes one call out of its bucket. The headers say what is left; `overrun`, that it was empty. */
  take(call: Call): { headers: Record<string, string>; overrun: Overrun | null };
  /** As `take`, for renaming a channel: no header reports that bucket. */
  takeRenaming(channel: string): Overrun | null;
};
type Call = { method: string; path: string; who: string };
type Window = { ends: number; left: number };

/** Fixed windows by the simulator's clock. */
export function openBuckets(world: World): Buckets {
  const windows = new Map<string, Window>();
  const take = (key: string, { limit, windowMs }: Limit) => {
    const now = world.now();
    let window = windows.get(key);
    if (!window || window.ends <= now || window.ends > now + windowMs) {
      window = { ends: now + windowMs, left: limit };
      windows.set(key, window);
    }
    const empty = window.left <= 0;
    if (!empty) window.left -= 1;
    return { ...window, empty };
  };
  return {
    take({ method, path, who }) {
      const { route, major } = routeOf(method, path);
      const limit = limitOf(world.limits, route);
      if (!world.limits.enabled || limit === null) return { headers: {}, overrun: null };
      const hash = word(route, 32).toLowerCase();
      const own = take(`${who}:${route}:${major}`, limit);
      const headers = headersOf(world, limit, own, hash);
      if (own.empty) return { headers, overrun: { scope: "user", retryMs: own.ends - world.now() } };
      if (route.includes("/webhooks/:id/:token")) return { headers, overrun: null };
      const all = take(`${who}:global`, { limit: world.limits.globalPerSecond, windowMs: 1000 });
      return { headers, overrun: all.empty ? { scope: "global", retryMs: all.ends - world.now() } : null };
    },
    takeRenaming(channel) {
      if (!world.limits.enabled) return null;
      const own = take(`rename:${channel}`, world.limits.overrides["rename"] ?? renaming);
      return own.empty ? { scope: "user", retryMs: own.ends - world.now() } : null;
    },
  };
}

function headersOf(
  world: World,
  { limit }: Limit,
  { ends, left }: Window,
  hash: string,
): Record<string, string> {
  return {
    "x-ratelimit-limit": String(limit),
    "x-ratelimit-remaining": String(left),
    "x-ratelimit-reset": (ends / 1000).toFixed(3),
    "x-ratelimit-reset-after": (Math.max(0, ends - world.now()) / 1000).toFixed(3),
    "x-ratelimit-bucket": hash,
  };
}
