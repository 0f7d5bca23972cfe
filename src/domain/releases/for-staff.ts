import { and, desc, eq, inArray } from "drizzle-orm";
import type { Channel } from "@/contract/vocabulary/builds";
import type { Actor } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { olderThan, type Place, theFuture } from "@/core/database/pages";
import { authorize } from "../permissions";
import { builds, releases } from "../schema/releases";
import { type Release, releaseOfVersion, releasesFor } from "./current";

export type ReleaseShown = Release & { current: boolean };

type Page = { channel?: Channel | undefined; after: Place | null; most: number };

/** A page of the releases, withdrawn ones too, the one published last first. */
export async function releasesShown(
  ctx: Ctx,
  { channel, after, most }: Page,
  actor: Actor,
): Promise<ReleaseShown[]> {
  authorize(actor, "release.read");
  const { db } = ctx.store;
  const rows = await db
    .select()
    .from(releases)
    .where(
      and(
        channel === undefined ? undefined : eq(releases.channel, channel),
        olderThan(after ?? theFuture, releases.publishedAt, releases.id),
      ),
    )
    .orderBy(desc(releases.publishedAt), desc(releases.id))
    .limit(most);
  return withAll(ctx, rows);
}

/** A release as it is now. Refuses with `release_unknown`. */
export async function releaseShown(ctx: Ctx, version: string, actor: Actor): Promise<ReleaseShown> {
  authorize(actor, "release.read");
  const [shown] = await withAll(ctx, [await releaseOfVersion(ctx, version)]);
  // one row in, one row out
  return shown!;
}

async function withAll(ctx: Ctx, rows: (typeof releases.$inferSelect)[]): Promise<ReleaseShown[]> {
  const ids = rows.map(({ id }) => id);
  const files = await ctx.store.db.select().from(builds).where(inArray(builds.releaseId, ids));
  const [current] = await releasesFor(ctx, "latest");
  return rows.map((row) => ({
    ...row,
    builds: files.filter(({ releaseId }) => releaseId === row.id),
    current: row.id === current?.id,
  }));
}
