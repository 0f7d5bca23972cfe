import { and, eq, gte, isNull, lt, ne, or, type SQL, sql } from "drizzle-orm";
import { type Channel, channels, type Platform } from "@/contract/vocabulary/builds";
import type { Ctx } from "@/core/database/context";
import type { Store } from "@/core/database/database";
import { preparedRead } from "@/core/database/prepared";
import { Refusal } from "@/core/base/refusal";
import { builds, releases } from "../schema/releases";
import { compareVersions } from "./version";

export type Build = typeof builds.$inferSelect;
export type ReleaseRow = typeof releases.$inferSelect;
export type Release = ReleaseRow & { builds: Build[] };

/** The newest release that was not yanked, with its builds; null before the first. */
export async function currentRelease(ctx: Ctx): Promise<Release | null> {
  const [newest] = await releasesFor(ctx, "latest");
  return newest ? withBuilds(ctx, newest) : null;
}

/** The current release's build for one platform, or null. */
export async function currentBuild(ctx: Ctx, platform: Platform) {
  const [release] = await releasesFor(ctx, "latest");
  return release ? buildOf(ctx, release, platform) : null;
}

/** The build of a published version; null if there is none or it was yanked. */
export async function buildOfVersion(ctx: Ctx, version: string, platform: Platform) {
  const [release] = await ctx.store.db
    .select()
    .from(releases)
    .where(and(eq(releases.version, version), isNull(releases.yankedAt)));
  return release ? buildOf(ctx, release, platform) : null;
}

/** A release, yanked or not; null if there is none. */
export async function releaseById(ctx: Ctx, id: string): Promise<ReleaseRow | null> {
  const [release] = await ctx.store.db.select().from(releases).where(eq(releases.id, id));
  return release ?? null;
}

/** A release by its version, yanked or not. Refuses with `release_unknown`. */
export async function releaseOfVersion(ctx: Ctx, version: string): Promise<ReleaseRow> {
  const [release] = await ctx.store.db.select().from(releases).where(eq(releases.version, version));
  if (!release) throw new Refusal("release_unknown");
  return release;
}

/**
 * Refuses with `release_exists` a version that was ever published. Builds of one version (`1.0.0+1`, `1.0.0+2`) are
 * equally new (https://semver.org/#spec-item-10), so that no application would ever be offered the second. `id`: of the
 * release that is being published, which may be there after a crash.
 */
export async function expectNewVersion(ctx: Ctx, version: string, id = ""): Promise<void> {
  const [plain = ""] = version.split("+");
  const { version: published } = releases;
  const isBuild = and(gte(published, `${plain}+`), lt(published, `${plain},`));
  const taken = await ctx.store.db.$count(
    releases,
    and(or(eq(published, plain), isBuild), ne(releases.id, id)),
  );
  if (taken > 0) throw new Refusal("release_exists");
}

/** The releases of a channel, newest version first: its own and those of more stable channels. */
export async function releasesFor(ctx: Ctx, channel: Channel): Promise<ReleaseRow[]> {
  const offered = channels.slice(0, channels.indexOf(channel) + 1);
  const rows = await notYanked(ctx.store).all();
  return rows
    .filter((release) => offered.includes(release.channel))
    .toSorted((a, b) => compareVersions(b.version, a.version));
}

/** What decides whether a version is too old to run. */
export type Version = Pick<ReleaseRow, "version" | "minimumVersion">;

/** The stable releases, newest version first. */
export async function stableVersions(ctx: Ctx): Promise<Version[]> {
  return newestFirst(await stable(ctx.store).all());
}

const isStable = and(eq(releases.channel, "latest"), isNull(releases.yankedAt));
const { version, minimumVersion } = releases;
const stable = preparedRead((db) =>
  db.select({ version, minimumVersion }).from(releases).where(isStable).prepare(),
);

/** The same as a column of a larger query. */
export const stableVersionsIn = (db: Store["db"]): SQL<Version[]> => {
  const pairs = sql`json_group_array(json_array(${version}, ${minimumVersion}))`;
  return sql`(${db.select({ pairs }).from(releases).where(isStable)})`.mapWith(versionsIn);
};

const versionsIn = (pairs: string): Version[] =>
  newestFirst(
    (JSON.parse(pairs) as [string, string | null][]).map((one) => ({
      version: one[0],
      minimumVersion: one[1],
    })),
  );

const newestFirst = (all: Version[]): Version[] =>
  all.toSorted((a, b) => compareVersions(b.version, a.version));

const notYanked = preparedRead((db) => db.select().from(releases).where(isNull(releases.yankedAt)).prepare());

export const withBuilds = async (ctx: Ctx, release: ReleaseRow): Promise<Release> => ({
  ...release,
  builds: await ctx.store.db.select().from(builds).where(eq(builds.releaseId, release.id)),
});

async function buildOf(ctx: Ctx, release: ReleaseRow, platform: Platform) {
  const [build] = await ctx.store.db
    .select()
    .from(builds)
    .where(and(eq(builds.releaseId, release.id), eq(builds.platform, platform)));
  return build ? { release, build } : null;
}
