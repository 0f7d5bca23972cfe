import { hour, second } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import { reasonOf } from "@/core/log/log";
import { withTimeout } from "@/core/base/with-timeout";

const cachedMilliseconds = hour;
const mostMilliseconds = 2 * second;
const mostCached = 1_000;

/** `without`: what the log says when there is no answer. `fresh`: asks every time. */
type Kind = { without: string; fresh?: boolean };

/**
 * Asks Stripe for something that is only nice to know: for two seconds at most, and once for all concurrent callers.
 * Resolves to null without an answer. Caches either for an hour.
 */
export function optionalAnswer<T>(ctx: Ctx, { without, fresh = false }: Kind) {
  const held = new Map<string, { answer: Promise<T | null>; until: number }>();
  return (key: string, ask: () => Promise<T>): Promise<T | null> => {
    const now = ctx.now().getTime();
    const known = held.get(key);
    if (known && known.until > now) return known.answer;
    const answer = withTimeout(mostMilliseconds, ask()).then(
      (value) => {
        if (fresh) held.delete(key);
        return value;
      },
      (error: unknown) => {
        ctx.log.warn(without, { reason: reasonOf(error) });
        return null;
      },
    );
    held.delete(key);
    held.set(key, { answer, until: now + cachedMilliseconds });
    const [oldest] = held.keys();
    if (held.size > mostCached && oldest !== undefined) held.delete(oldest);
    return answer;
  };
}
