import type { KeyObject } from "node:crypto";
import { and, eq, isNull } from "drizzle-orm";
import type { Channel, Platform } from "@/contract/vocabulary/builds";
import type { By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, isDuplicate, mustHaveChanged } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { enqueue } from "@/core/jobs/outbox";
import { Refusal } from "@/core/base/refusal";
import { expectNoCopy } from "@/core/database/restored-copy";
import { botTopics } from "../outbox-topics";
import { authorize, expectConfirmed } from "../permissions";
import { currentRelease, expectNewVersion, releaseOfVersion } from "./current";
import { digestsOf } from "./digests";
import { asPem, shopBuildKey, signatureFits, signDigest } from "./signatures";
import type { BuildStore, ReadableFile } from "./store";
import { builds, releases } from "../schema/releases";
import { isOlder, isVersion } from "./version";

export type NewBuild = {
  platform: Platform;
  /** The file name for downloads. */
  name: string;
  file: ReadableFile;
  /** What it must be, in hexadecimal, if its sender said. */
  sha256?: string;
  /** Made with the publisher's own key; without one the shop signs. */
  signature?: Buffer;
};

export type NewRelease = {
  /** A new one if absent. */
  id?: string;
  version: string;
  channel: Channel;
  title: string;
  content: string;
  builds: NewBuild[];
  /** Platforms whose builds are copied from the current release. */
  keep?: Platform[];
  /** The percentage of devices that the update feed offers it to; all if absent. */
  rollout?: number;
  /** Applications older than this must update. */
  minimumVersion?: string;
  /** The publisher's public key, which every build's signature must match. */
  publicKey?: KeyObject;
  /** Whether the bot posts the notes in the news channel. */
  postNotes?: boolean;
  /** Called with the bytes done and in total; each build is read and then stored. */
  onProgress?: (done: number, total: number) => void;
};

type Row = typeof builds.$inferInsert;

/**
 * Publishes a release. Its files are stored before the single commit that makes it visible, so nobody is ever
 * offered half of it. Refuses with `release_invalid` (the sentence says what is wrong), `release_exists`, or `copy` on
 * a restored copy.
 */
export async function publish(ctx: Ctx, store: BuildStore, wanted: NewRelease, by: By): Promise<string> {
  authorize(by, "release.publish");
  expectConfirmed(ctx, by, "release.publish");
  return publishAuthorized(ctx, store, wanted, by);
}

/** {@link publish} for the job that carries out what was authorized when it was recorded. */
export async function publishAuthorized(ctx: Ctx, store: BuildStore, wanted: NewRelease, by: By) {
  // a release of kept builds stores no file, and the bot would post its notes after a take-over
  await expectNoCopy(ctx);
  expectPublishable(wanted);
  await expectNewVersion(ctx, wanted.version, wanted.id);
  const id = wanted.id ?? newId();
  const progressOf = progressOfAll(wanted);
  const made = await Promise.all(
    wanted.builds.map((build) => takeIn(ctx, store, wanted, { releaseId: id, build, onBytes: progressOf() })),
  );
  const kept = await keepOver(ctx, wanted, id);
  const { version, channel, title, content, rollout = 100, minimumVersion = null } = wanted;
  const signingKey = wanted.publicKey ? asPem(wanted.publicKey) : null;
  const publishedAt = ctx.now();
  const row = { id, version, channel, title, content, rollout, minimumVersion, signingKey, publishedAt };
  const { db } = ctx.store;
  try {
    await commit(ctx.store, [
      db.insert(releases).values(row),
      ...[...made, ...kept].map((build) => db.insert(builds).values(build)),
      record(ctx, { ...by, action: "release.published", subject: id, detail: { version, channel } }),
      ...(wanted.postNotes ? [enqueue(ctx, { topic: botTopics.postReleaseNews, subject: id })] : []),
    ]);
  } catch (error) {
    if (isDuplicate(error, "releases.version")) throw new Refusal("release_exists");
    throw error;
  }
  return id;
}

/** Yanks a release; the newest remaining one becomes the current one. */
export async function yank(ctx: Ctx, version: string, by: By): Promise<void> {
  authorize(by, "release.yank");
  const release = await releaseOfVersion(ctx, version);
  if (release.yankedAt) throw new Refusal("release_unknown");
  expectConfirmed(ctx, by, "release.yank");
  await commit(ctx.store, [
    ctx.store.db
      .update(releases)
      .set({ yankedAt: ctx.now() })
      .where(and(eq(releases.id, release.id), isNull(releases.yankedAt))),
    mustHaveChanged("release_unknown"),
    record(ctx, { ...by, action: "release.yanked", subject: release.id, detail: { version } }),
  ]);
}

/** Changes the percentage of devices that a release is offered to. */
export async function setRollout(ctx: Ctx, version: string, rollout: number, by: By): Promise<void> {
  authorize(by, "release.roll_out");
  const release = await releaseOfVersion(ctx, version);
  if (release.yankedAt) throw new Refusal("release_unknown");
  expectConfirmed(ctx, by, "release.roll_out");
  if (!isPercentage(rollout)) throw invalid("The rollout must be a whole number from 0 to 100.");
  await commit(ctx.store, [
    ctx.store.db
      .update(releases)
      .set({ rollout })
      .where(and(eq(releases.id, release.id), isNull(releases.yankedAt))),
    mustHaveChanged("release_unknown"),
    record(ctx, { ...by, action: "release.rollout", subject: release.id, detail: { rollout } }),
  ]);
}

const isPercentage = (value: number) => Number.isInteger(value) && value >= 0 && value <= 100;
const invalid = (sentence: string) => new Refusal("release_invalid", { sentence });

/** No characters that need quoting in a header or shell, and no path separators. */
const safeName = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,127}$/;

/** What is known of a release before its files are. */
type ReleaseToCheck = Pick<NewRelease, "version" | "minimumVersion" | "title" | "rollout" | "keep"> & {
  builds: readonly Pick<NewBuild, "name" | "platform">[];
};

/** Refuses with `release_invalid`. */
export function expectPublishable(wanted: ReleaseToCheck): void {
  const { version, minimumVersion, title, rollout = 100 } = wanted;
  if (!isVersion(version)) throw invalid(`${version} is not a version like 2.1.0 or 2.1.0-beta.1.`);
  if (minimumVersion !== undefined && (!isVersion(minimumVersion) || isOlder(version, minimumVersion))) {
    throw invalid("The minimum version must be a version, and not newer than the release itself.");
  }
  if (!isPercentage(rollout)) throw invalid("The rollout must be a whole number from 0 to 100.");
  if (title.trim() === "") throw invalid("The notes need a title.");
  if (wanted.builds.length === 0) throw invalid("A release needs at least one build.");
  const all = [
    ...wanted.builds,
    ...(wanted.keep ?? []).map((platform) => ({ platform, name: "a kept one" })),
  ];
  const twice = all.find(({ platform }, at) => all.findIndex((one) => one.platform === platform) !== at);
  const names = all.filter(({ platform }) => platform === twice?.platform).map(({ name }) => name);
  if (twice) throw invalid(`There are two builds for ${twice.platform}: ${names.join(" and ")}.`);
  const unsafe = wanted.builds.find((build) => !safeName.test(build.name));
  if (unsafe)
    throw invalid(
      `${unsafe.name}: a build's name has only letters, digits and . _ - +, and begins with a letter or digit. Blanks become dashes.`,
    );
}

/** Sums the progress of builds processed concurrently; storing counts as much as reading. */
function progressOfAll({ builds: all, onProgress }: NewRelease) {
  const total = 2 * all.reduce((sum, { file }) => sum + file.size, 0);
  let done = 0;
  return () => {
    let own = 0;
    return (bytes: number) => {
      done += bytes - own;
      own = bytes;
      onProgress?.(done, total);
    };
  };
}

type TakenBuild = { releaseId: string; build: NewBuild; onBytes: (bytes: number) => void };

async function takeIn(
  ctx: Ctx,
  store: BuildStore,
  { publicKey }: NewRelease,
  { releaseId, build, onBytes }: TakenBuild,
): Promise<Row> {
  const { size, sha256, sha512 } = await digestsOf(build.file, onBytes);
  if (size === 0) throw invalid(`${build.name} is empty.`);
  if (build.sha256 !== undefined && build.sha256 !== sha256) {
    throw invalid(`${build.name} is not the file that was announced: its SHA-256 differs.`);
  }
  const signature = build.signature ?? (publicKey ? null : signDigest(sha512, shopBuildKey(ctx).privateKey));
  if (!signature || !signatureFits(sha512, signature, publicKey ?? shopBuildKey(ctx).publicKey)) {
    throw invalid(`${build.name} has no signature that fits.`);
  }
  await store.keep(sha256, build.file);
  onBytes(2 * size);
  return {
    releaseId,
    platform: build.platform,
    fileName: build.name,
    size,
    sha256,
    sha512: sha512.toString("base64"),
    signature: signature.toString("base64"),
  };
}

async function keepOver(ctx: Ctx, { keep = [], publicKey }: NewRelease, releaseId: string): Promise<Row[]> {
  if (keep.length === 0) return [];
  const current = await currentRelease(ctx);
  return keep.map((platform) => {
    const build = current?.builds.find((one) => one.platform === platform);
    if (!build || !current) throw invalid(`The current release has no build for ${platform} to keep.`);
    if (!publicKey) {
      const sha512 = Buffer.from(build.sha512, "base64");
      const signature = signDigest(sha512, shopBuildKey(ctx).privateKey).toString("base64");
      return { ...build, releaseId, signature };
    }
    if (asPem(publicKey) !== current.signingKey) {
      throw invalid("The builds to keep were signed with another key.");
    }
    return { ...build, releaseId };
  });
}
