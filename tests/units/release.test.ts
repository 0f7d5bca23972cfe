import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import {
  recordedAfter,
  type RecordedReleases,
  type Release,
  release,
  releaseComplaint,
} from "@/core/database/release";

const own = (number: string, upgradesFrom: string, goesBackTo: string): Release => ({
  number,
  upgradesFrom,
  goesBackTo,
});
const first = own("0.3.0", "0.3.0", "0.3.0");
const second = own("0.4.0", "0.3.0", "0.3.0");
const third = own("0.5.0", "0.4.0", "0.4.0");
/** What the database says after these releases ran, one after another. */
const after = (...ran: Release[]) => ran.reduce<RecordedReleases | null>(recordedAfter, null);

test("a shop can upgrade from the release before and go back to it", () => {
  expect(releaseComplaint(null, first, "shop.db")).toBeNull();
  expect(releaseComplaint(after(first), second, "shop.db")).toBeNull();
  expect(releaseComplaint(after(first, second), first, "shop.db")).toBeNull();
  expect(releaseComplaint(after(first, second, first), second, "shop.db")).toBeNull();
});

test("a release that would skip one is refused, and the sentence names the one to start", () => {
  expect(releaseComplaint(after(first), third, "shop.db")).toBe(
    "The database shop.db was last used by release 0.3.0, and 0.5.0 takes over only from 0.4.0 or later: start 0.4.0 first.",
  );
  // also after the newer release ran, because the older one has written since
  expect(releaseComplaint(after(first, second, first), third, "shop.db")).toContain("start 0.4.0 first");
});

test("a release older than the newest one goes back to is refused, whichever ran in between", () => {
  const sentence =
    "The database shop.db holds what release 0.5.0 wrote, which 0.3.0 can't read: start 0.4.0 or later.";
  expect(releaseComplaint(after(first, second, third), first, "shop.db")).toBe(sentence);
  expect(releaseComplaint(after(first, second, third, second), first, "shop.db")).toBe(sentence);
  // by number, not by letter
  expect(
    releaseComplaint(after(own("0.10.0", "0.9.0", "0.9.0")), own("0.9.0", "0.8.0", "0.8.0"), ""),
  ).toBeNull();
});

const changelog = readFileSync(new URL("../../CHANGELOG.md", import.meta.url), "utf8");
const entries = changelog
  .split(/^## /m)
  .slice(1)
  .map((text) => ({ text, number: /^\[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$/m.exec(text)?.[1] ?? null }))
  .filter(({ text }) => !text.startsWith("[Unreleased]"));

test("the newest entry of the changelog is this release, and says how far it reaches", () => {
  const [newest] = entries;
  expect(newest?.number).toBe(release.number);
  expect(newest?.text).toContain(`- **Upgrade from** ${release.upgradesFrom} or later.`);
  expect(newest?.text).toContain(`- **Go back to** ${release.goesBackTo} or later`);
});

test("every release in the changelog has a number, a date, and what its operator needs, newest first", () => {
  const numbers = entries.map(({ number }) => number ?? "none");
  expect(numbers).toEqual(numbers.toSorted((one, other) => Bun.semver.order(other, one)));
  for (const { text } of entries.slice(0, -1)) {
    for (const line of ["Upgrade from", "Go back to", "Migrations", "Settings"]) {
      expect(text).toContain(`- **${line}**`);
    }
  }
});
