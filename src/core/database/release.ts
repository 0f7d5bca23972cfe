import { readFileSync } from "node:fs";
import type { Client } from "@libsql/client";
import { z } from "zod";
import { ConfigError } from "../settings/config";

export type Release = {
  /** As in `package.json` and CHANGELOG.md. */
  number: string;
  /** The earliest release whose database this release can take over. */
  upgradesFrom: string;
  /** The earliest release that can run on a database after this one did. */
  goesBackTo: string;
};

const manifest = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as {
  version: string;
};

/**
 * The running release. Raise a bound when earlier releases lack something this one needs, or can't read what it
 * writes.
 */
export const release: Release = { number: manifest.version, upgradesFrom: "0.3.0", goesBackTo: "0.3.0" };

/** What a database records of the releases that ran on it. Every later release must be able to read this. */
const shape = z.object({ newest: z.string(), last: z.string(), goesBackTo: z.string() });
export type RecordedReleases = z.infer<typeof shape>;

/** What a database records after one more release ran on it; keeps a newer release's bounds. */
export const recordedAfter = (
  before: RecordedReleases | null,
  { number, goesBackTo }: Release,
): RecordedReleases => ({
  newest: later(before?.newest ?? number, number),
  last: number,
  goesBackTo: later(before?.goesBackTo ?? goesBackTo, goesBackTo),
});

/** Why a release must not run on a database, in one sentence; null if it may. */
export function releaseComplaint(
  before: RecordedReleases | null,
  own: Release,
  where: string,
): string | null {
  if (!before) return null;
  if (isBefore(own.number, before.goesBackTo)) {
    return `The database ${where} holds what release ${before.newest} wrote, which ${own.number} can't read: start ${before.goesBackTo} or later.`;
  }
  if (!isBefore(before.last, own.upgradesFrom)) return null;
  return `The database ${where} was last used by release ${before.last}, and ${own.number} takes over only from ${own.upgradesFrom} or later: start ${own.upgradesFrom} first.`;
}

/**
 * Records in the database that this release runs on it; called before its migrations. Refuses if this release would
 * skip a migration, or can't read what a newer release wrote ({@link ConfigError}).
 */
export async function noteRelease(client: Client, where: string): Promise<void> {
  for (;;) {
    const kept = await factIn(client);
    const before = parseReleases(kept);
    const complaint = releaseComplaint(before, release, where);
    if (complaint) throw new ConfigError(complaint);
    const value = JSON.stringify(recordedAfter(before, release));
    // only if changed, so that commands can read a database that can't store anything
    if (value === kept || (await storeReleases(client, kept, value))) return;
  }
}

/** The newest release that ran on a database, and how far back it goes; null before the first has recorded itself. */
export const releasesOn = async ({ client }: { client: Client }): Promise<RecordedReleases | null> =>
  parseReleases(await factIn(client));

/** Whether a release is newer than the running one. */
export const isNewer = (number: string): boolean => isBefore(release.number, number);

const fact = "release";

async function factIn(client: Client): Promise<string | null> {
  const { rows } = await client.execute({
    sql: "SELECT value FROM installation WHERE name = ?",
    args: [fact],
  });
  return (rows[0]?.["value"] as string | undefined) ?? null;
}

const parseReleases = (kept: string | null): RecordedReleases | null =>
  kept === null ? null : shape.parse(JSON.parse(kept));

/** False if another process has just recorded its release. */
async function storeReleases(client: Client, before: string | null, value: string): Promise<boolean> {
  const { rowsAffected } = await client.execute({
    sql: "INSERT INTO installation (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2 WHERE value = ?3",
    args: [fact, value, before],
  });
  return rowsAffected > 0;
}

const isBefore = (one: string, other: string) => Bun.semver.order(one, other) < 0;
const later = (one: string, other: string) => (isBefore(one, other) ? other : one);
