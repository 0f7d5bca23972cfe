import { eq, lt } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { reasonOf } from "@/core/log";
import { discordBuckets } from "./tables";

/** How one of Discord's buckets stands: so many calls are left, until that moment (Unix milliseconds). */
export type BucketState = { left: number; until: number };

/**
 * What is known of Discord's buckets, over restarts and between processes: who starts anew would else have
 * to try. The moments are the machine's own, as Discord's windows don't follow the shop's clock. Neither call
 * throws: a database that says no must not keep the bot from Discord.
 */
export type BucketMemory = {
  /** Null where nothing is known, or it is over. */
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
      // what was seen after now was written before the clock was set back
      if (!row || row.seenAt.getTime() > now || row.until.getTime() <= now) return null;
      return { left: row.left, until: row.until.getTime() };
    },
    async keep(bucket, now, { left, until }) {
      const set = { left, seenAt: new Date(now), until: new Date(until) };
      const { db } = ctx.store;
      await forgiven(
        db.batch([
          db.delete(discordBuckets).where(lt(discordBuckets.until, set.seenAt)),
          db
            .insert(discordBuckets)
            .values({ bucket, ...set })
            .onConflictDoUpdate({ target: discordBuckets.bucket, set }),
        ]),
      );
    },
  };
}
