import { eq, sql } from "drizzle-orm";
import type { Actor, By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, mustHaveChanged } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { releaseOfVersion, type ReleaseRow, releasesFor } from "./current";
import { news, releases } from "../schema/releases";
import { authorize } from "../permissions";

export type Entry = {
  /** A release's version, or the id of a news entry. */
  id: string;
  isRelease: boolean;
  date: Date;
  title: string;
  content: string;
};
export type Text = { title: string; content: string };

/** Notes of the releases on the `latest` channel, and news, newest first. */
export async function changelog(ctx: Ctx): Promise<Entry[]> {
  const released = (await releasesFor(ctx, "latest")).map(toEntry);
  const announced = (await ctx.store.db.select().from(news)).map(newsEntry);
  return [...released, ...announced].toSorted((a, b) => b.date.getTime() - a.date.getTime());
}

const toEntry = ({ version: id, publishedAt: date, title, content }: ReleaseRow): Entry => ({
  id,
  isRelease: true,
  date,
  title,
  content,
});

const newsEntry = (row: typeof news.$inferSelect): Entry => ({ ...row, isRelease: false });

/** An entry as it is now. Refuses with `release_unknown`. */
export async function entryShown(ctx: Ctx, id: string, actor: Actor): Promise<Entry> {
  authorize(actor, "changelog.read");
  const [own] = await ctx.store.db.select().from(news).where(eq(news.id, id));
  return own ? newsEntry(own) : toEntry(await releaseOfVersion(ctx, id));
}

/** {@link changelog} for staff. */
export async function changelogShown(ctx: Ctx, actor: Actor): Promise<Entry[]> {
  authorize(actor, "changelog.read");
  return changelog(ctx);
}

/** Adds a news entry. Resolves to its id. */
export async function addNews(ctx: Ctx, text: Text, by: By): Promise<string> {
  authorize(by, "changelog.add");
  if (text.title.trim() === "") throw new Refusal("release_invalid", { sentence: "An entry needs a title." });
  const id = newId();
  await commit(ctx.store, [
    ctx.store.db.insert(news).values({ id, date: ctx.now(), ...text }),
    record(ctx, { ...by, action: "changelog.added", subject: id }),
  ]);
  return id;
}

/** Edits an entry: a release's notes by its version, news by its id. */
export async function editEntry(ctx: Ctx, id: string, text: Partial<Text>, by: By): Promise<void> {
  authorize(by, "changelog.edit");
  const { db } = ctx.store;
  const isNews = (await db.$count(news, eq(news.id, id))) > 0;
  const same = { title: sql`title`, content: sql`content` };
  await commit(ctx.store, [
    isNews
      ? db
          .update(news)
          .set({ ...same, ...text })
          .where(eq(news.id, id))
      : db
          .update(releases)
          .set({ ...same, ...text })
          .where(eq(releases.version, id)),
    mustHaveChanged("release_unknown"),
    record(ctx, { ...by, action: "changelog.edited", subject: id }),
  ]);
}

/** Deletes a news entry; a release's notes go with the release. */
export async function removeNews(ctx: Ctx, id: string, by: By): Promise<Entry> {
  authorize(by, "changelog.remove");
  const [found] = await ctx.store.db.select().from(news).where(eq(news.id, id));
  if (!found) throw new Refusal("release_unknown");
  await commit(ctx.store, [
    ctx.store.db.delete(news).where(eq(news.id, id)),
    mustHaveChanged("release_unknown"),
    record(ctx, { ...by, action: "changelog.removed", subject: id }),
  ]);
  return newsEntry(found);
}
