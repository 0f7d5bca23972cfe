import { eq, lt } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { reasonOf } from "@/core/log";
import { discordBuckets } from "./tables";

/** How one of Discord's buckets stands. */
export type BucketState = {
  /** So many calls go in, in so many milliseconds from the first. */
  limit: number;
  length: number;
  /** So many more go in until that moment (Unix milliseconds). */
  left: number;
  until: number;
};

/** What was not needed for so long is let go. */
const keptMilliseconds = 24 * 60 * 60_000;

/**
 * What is known of Discord's buckets, over restarts and between processes: who starts anew would else have
 * to try. The moments are the machine's own, as Discord's windows don't follow the shop's clock. Neither call
 * throws: a database that says no must not keep the bot from Discord.
 */
export type BucketMemory = {
  /** How a bucket was left; null where nothing is known. */
  recall(bucket: string, now: number): Promise<BucketState | null>;
  keep(bucket: string, now: number, state: BucketState): Promise<void>;
};

export function bucketMemory(ctx: Ctx): BucketMemory {
  const forgiven = <T>(asked: Promise<T>): Promise<T | null> =>
    asked.catch((error: unknown) => {
      ctx.log.debug("a bucket of Discord's was not remembered", { reason: reasonOf(error) });
      return null;
    });
  return {
    async recall(bucket, now) {
      const asked = ctx.store.db.select().from(discordBuckets).where(eq(discordBuckets.bucket, bucket));
      const [row] = (await forgiven(asked)) ?? [];
      if (!row) return null;
      const { limit, length, left } = row;
      // what was seen after now was written before the clock was set back
      return { limit, length, left, until: row.seenAt.getTime() > now ? now : row.until.getTime() };
    },
    async keep(bucket, now, { limit, length, left, until }) {
      const set = { limit, length, left, seenAt: new Date(now), until: new Date(until) };
      const { db } = ctx.store;
      await forgiven(
        db.batch([
          db.delete(discordBuckets).where(lt(discordBuckets.until, new Date(now - keptMilliseconds))),
          db
            .insert(discordBuckets)
            .values({ bucket, ...set })
            .onConflictDoUpdate({ target: discordBuckets.bucket, set }),
        ]),
      );
    },
  };
}
