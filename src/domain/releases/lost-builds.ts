import { channels } from "@/contract/vocabulary/builds";
import type { Ctx } from "@/core/database/context";
import { type Release, releasesFor, withBuilds } from "./current";
import type { BuildStore } from "./store";

/** The newest, and the one before it, on which a rollout leaves the other devices. */
const ofEachChannel = 2;

/** A file offered to customers that the store lacks, or has with other bytes. */
export type LostBuild = { version: string; fileName: string };

/** The lost files of each channel's newest releases. Rejects as the store does if it doesn't answer. */
export async function lostBuilds(ctx: Ctx, store: BuildStore): Promise<LostBuild[]> {
  const offered = await Promise.all(channels.map((channel) => releasesFor(ctx, channel)));
  const newest = offered.flatMap((releases) => releases.slice(0, ofEachChannel));
  const once = [...new Map(newest.map((release) => [release.id, release])).values()];
  const releases = await Promise.all(once.map((release) => withBuilds(ctx, release)));
  return (await Promise.all(releases.map((release) => lostOf(release, store)))).flat();
}

async function lostOf({ version, builds }: Release, store: BuildStore): Promise<LostBuild[]> {
  const sizes = await Promise.all(builds.map(({ sha256 }) => store.sizeOf(sha256)));
  return builds
    .filter(({ size }, index) => sizes[index] !== size)
    .map(({ fileName }) => ({ version, fileName }));
}
