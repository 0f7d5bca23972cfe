import { createHash } from "node:crypto";
import { armOf, type Channel, type CommonPlatform, isArm, type System } from "@/contract/vocabulary/builds";
import type { Ctx } from "@/core/database/context";
import {
  type Build,
  type Release,
  type ReleaseRow,
  releasesFor,
  stableVersions,
  withBuilds,
} from "./current";
import { compareVersions, isOlder, isVersion } from "./version";

/** The file types that electron-updater can install on each system. */
const updatable: Record<System, readonly CommonPlatform[]> = {
  windows: ["win_exe"],
  mac: ["mac_zip", "mac_dmg"],
  linux: ["linux_appimage", "linux_deb", "linux_rpm"],
};

export type FeedRequest = {
  channel: Channel;
  system: System;
  /** The first build is one that this architecture can install; null: any build for the system. */
  architecture: "x64" | "arm64" | null;
};

/**
 * The release offered to a device on a channel, with the builds of its system only; null if there is none. During a
 * rollout the devices drawn get the new release and the others stay on the one before, except that a device
 * below the newest release's minimum version never has to wait.
 */
export async function offeredRelease(
  ctx: Ctx,
  asked: FeedRequest & { device: string; version?: string | undefined },
): Promise<Release | null> {
  const all = await releasesFor(ctx, asked.channel);
  const required = asked.version !== undefined && requiredAmong(all, asked.version) !== null;
  for (const release of all) {
    if (!required && rolloutPosition(release, asked.device) >= release.rollout) continue;
    const { builds } = await withBuilds(ctx, release);
    const mine = kindsFor(asked).flatMap((platform) => builds.filter((one) => one.platform === platform));
    const [first] = mine;
    if (!first || (asked.architecture === "x64" && isArm(first.platform))) continue;
    return { ...release, builds: mine };
  }
  return null;
}

/**
 * An updater takes the first file of its type, or the first whose name has its architecture. On Linux it asks for a
 * feed of its own.
 */
function kindsFor({ system, architecture }: FeedRequest) {
  const common = updatable[system];
  const arm = common.map(armOf);
  if (architecture === "arm64") return arm;
  return system === "linux" && architecture === "x64" ? common : [...common, ...arm];
}

/** The minimum version, if `version` is older than it; otherwise null. */
export async function requiredVersion(ctx: Ctx, version: string): Promise<string | null> {
  return requiredAmong(await stableVersions(ctx), version);
}

export const isNewer = (release: ReleaseRow, than: string | undefined) =>
  than === undefined || !isVersion(than) || compareVersions(release.version, than) > 0;

/** The same among releases that were read already. */
export function requiredAmong(
  newestFirst: Pick<ReleaseRow, "minimumVersion">[],
  version: string,
): string | null {
  const minimum = newestFirst[0]?.minimumVersion;
  return minimum && isOlder(version, minimum) ? minimum : null;
}

/**
 * A device's place in a release's rollout, from 0 to 99: always the same for one release, and different for each
 * release, so that it isn't always the same devices that go first.
 */
function rolloutPosition(release: ReleaseRow, device: string): number {
  return createHash("sha256").update(`${release.id}:${device}`).digest().readUInt32BE(0) % 100;
}

/** A build's path below the update calls. It keeps the file's extension, which updaters look at. */
export const feedPath = (release: ReleaseRow, build: Build) =>
  `files/${release.version}/${build.platform}/${build.fileName}`;

/** The feed that electron-updater's generic provider reads, https://www.electron.build/auto-update */
export function electronFeed(release: Release): string {
  const files = release.builds.map((build) => ({
    url: feedPath(release, build),
    sha512: build.sha512,
    size: build.size,
  }));
  return Bun.YAML.stringify(
    {
      version: release.version,
      files,
      path: files[0]?.url,
      sha512: files[0]?.sha512,
      releaseDate: release.publishedAt.toISOString(),
      releaseName: release.title,
      releaseNotes: release.content,
      code: "VALID",
    },
    null,
    2,
  );
}
