import { createHash } from "node:crypto";
import type { Channel, Platform, System } from "@/contract/builds";
import type { Ctx } from "@/core/context";
import { type Build, type Release, type ReleaseRow, releasesFor, withBuilds } from "./current";
import { compareVersions, isOlder, isVersion } from "./version";

/** What an application on each system can update itself with, as electron-updater's makers do. */
const updatable: Record<System, readonly Platform[]> = {
  windows: ["win_exe"],
  mac: ["mac_zip", "mac_dmg"],
  linux: ["linux_appimage", "linux_deb", "linux_rpm"],
};

/**
 * The release that a device is offered on a channel, with the builds of its system only; null when there
 * is none. A release in rollout goes to the devices whose share of it is drawn; the others stay with the
 * one before. Whoever is below the newest release's minimum version is never kept waiting.
 */
export async function offer(
  ctx: Ctx,
  asked: { channel: Channel; system: System; device: string; version?: string | undefined },
): Promise<Release | null> {
  const all = await releasesFor(ctx, asked.channel);
  const required = asked.version !== undefined && mustUpdate(all, asked.version) !== null;
  for (const release of all) {
    if (!required && share(release, asked.device) >= release.rollout) continue;
    const { builds } = await withBuilds(ctx, release);
    const mine = updatable[asked.system].flatMap((platform) =>
      builds.filter((one) => one.platform === platform),
    );
    if (mine.length > 0) return { ...release, builds: mine };
  }
  return null;
}

/** The oldest version that may still run, when `version` is older than it; else null. */
export async function requiredVersion(ctx: Ctx, version: string): Promise<string | null> {
  return mustUpdate(await releasesFor(ctx, "latest"), version);
}

export const isNewer = (release: ReleaseRow, than: string | undefined) =>
  than === undefined || !isVersion(than) || compareVersions(release.version, than) > 0;

function mustUpdate(newestFirst: ReleaseRow[], version: string): string | null {
  const minimum = newestFirst[0]?.minimumVersion;
  return minimum && isOlder(version, minimum) ? minimum : null;
}

/**
 * A device's place in a release's rollout, from 0 to 99: the same at each asking, and another for each
 * release, so that not always the same devices go first.
 */
function share(release: ReleaseRow, device: string): number {
  return createHash("sha256").update(`${release.id}:${device}`).digest().readUInt32BE(0) % 100;
}

/** The path of a build's file below the update calls. It ends like the file, because updaters look at that. */
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
