import { second } from "@/contract/vocabulary/time";
import type { By } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { reasonOf } from "@/core/log/log";
import { takeTurn } from "@/core/limits/turns";
import { authorize } from "../permissions";
import { type Replayed, replaySince } from "./replay";

/** A browser waits for so long; the rest follows. */
const patience = 5 * second;

type Since = { since: Date; endpoint: string | undefined };

/**
 * {@link replaySince} for a caller that can't wait for hours of events: answers with what is done by then, and goes on.
 * Refuses with `rate_limited` while an earlier one goes on.
 */
export async function replaySinceForAWhile(
  ctx: Ctx,
  { since, endpoint }: Since,
  by: By,
): Promise<Replayed & { finished: boolean }> {
  authorize(by, "webhook.replay");
  const end = takeTurn(ctx, "replay");
  let events = 0;
  const whole = replaySince(ctx, { since, endpoint, progress: (done) => void (events = done) }, by).finally(
    end,
  );
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), patience);
  const done = await Promise.race([whole, late.promise]).finally(() => {
    clearTimeout(timer);
  });
  if (done) return { ...done, finished: true };
  whole.catch((error: unknown) => {
    ctx.log.error("a replay of webhooks ended early", { reason: reasonOf(error) });
  });
  return { events, deliveries: 0, alreadyWaiting: 0, disabled: [], finished: false };
}
