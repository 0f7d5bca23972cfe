import { word } from "../../base/words";
import type { World } from "../world";
import { type Limit, limitOf, routeOf } from "./limits";

type Overrun = { scope: "user" | "global"; retryMs: number };
/** Takes one call out of its bucket. The headers say what is left; `overrun` says that the bucket was empty. */
export type Buckets = (call: Call) => { headers: Record<string, string>; overrun: Overrun | null };
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
  return ({ method, path, who }) => {
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
