import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { openStore, type Store } from "@/core/database/database";
import { entitles, isEntitling } from "@/domain/licences/entitlement/entitlement";
import { activeLicences } from "@/domain/licences/entitlement/active";
import { forever } from "@/domain/levels/covers";
import { accounts } from "@/domain/schema/accounts";
import { type Licence, licences } from "@/domain/schema/licences";
import { seededRandom } from "../crash/random";

const now = new Date("2026-06-01T00:00:00Z");
const [past, future] = [new Date(now.getTime() - 1), new Date(now.getTime() + 1)];

const blank = {
  fixedEndsAt: null,
  redeemedByBuyer: false,
  staffDevices: null,
  staffDevicesPrice: null,
  paidUntil: null,
  paymentFellAt: null,
  keyTail: null,
  orderedAt: null,
  keySealed: "",
  level: "premium",
  chain: "premium",
  staffLevel: null,
  staffLevelPrice: null,
  days: null,
  devices: 1,
  primaryPaymentId: null,
  additionalPaymentId: null,
  paymentIndex: 0,
  lastReminderDays: 0,
  changed: null,
  accountId: null,
  createdAt: past,
  offer: null,
};

/** One licence for every combination of what can be true of it. */
function everyLicence(): Omit<
  Licence,
  "paymentId" | "updated" | "listedStatus" | "activeFrom" | "activeUntil"
>[] {
  const standings = ["good", "disputed", "refunded", "revoked"] as const;
  const made = standings.flatMap((paymentStatus) =>
    [null, past].flatMap((suspendedAt) =>
      [null, past].flatMap((revokedAt) =>
        [null, true, false].flatMap((livemode) =>
          [null, past].flatMap((redeemedAt) =>
            [null, past, now, future].map((expiresAt) => ({
              ...blank,
              paymentStatus,
              suspendedAt,
              revokedAt,
              livemode,
              redeemedAt,
              expiresAt,
            })),
          ),
        ),
      ),
    ),
  );
  return made.map((licence, at) => ({ ...licence, id: `l${at}`, keyHash: `h${at}` }));
}

/** Runs a test on a database of its own. */
async function withStore(run: (store: Store) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), "entitlement-"));
  const store = await openStore({ url: `file:${join(folder, "shop.db")}` });
  try {
    await run(store);
  } finally {
    store.close();
    rmSync(folder, { recursive: true });
  }
}

test("the entitlement function and the query condition always agree", () =>
  withStore(async (store) => {
    const all = everyLicence();
    await store.db.insert(licences).values(all);
    for (const livemode of [true, false]) {
      const found = await store.db
        .select({ id: licences.id })
        .from(licences)
        .where(entitles({ livemode }, now))
        .orderBy(licences.id);
      const judged = all.filter((licence) => isEntitling({ livemode, now: () => now }, licence));
      expect(found.map(({ id }) => id)).toEqual(judged.map(({ id }) => id).toSorted());
      // good, not suspended, not revoked, redeemed: of its own mode or not bought, for life or not over
      expect(found).toHaveLength(4);
    }
  }));

test("of each level and number of seats, the query finds the active licence that lasts longest", () =>
  withStore(async (store) => {
    const { whole, pick } = seededRandom(49);
    const name = { username: "ada", usernameKey: "ada", email: "ada", emailKey: "ada" };
    await store.db
      .insert(accounts)
      .values({ id: "ada", ...name, passwordHash: "", timezone: "UTC", createdAt: past });
    const after = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
    for (let round = 0; round < 60; round += 1) {
      // a few licences, or many
      const share = round % 2 === 0 ? 8 : 40;
      const held = everyLicence().flatMap((licence) =>
        whole(1, share) > 1
          ? []
          : {
              ...licence,
              accountId: "ada",
              level: pick(["pro", "studio", "team"]),
              devices: pick([1, 3, 10]),
              expiresAt: pick([null, after(-1), now, after(whole(1, 9))]),
              offer: licence.id,
            },
      );
      await store.db.delete(licences);
      if (held.length > 0) await store.db.insert(licences).values(held);
      for (const livemode of [true, false]) {
        const [row] = await store.db
          .select({ active: activeLicences({ livemode }, accounts.id, now) })
          .from(accounts)
          .innerJoin(licences, eq(licences.accountId, accounts.id))
          .limit(1);
        const byKind = Map.groupBy(
          held.filter((licence) => isEntitling({ livemode, now: () => now }, licence)),
          ({ level, devices }) => `${level} ${devices}`,
        );
        const until = (licence: (typeof held)[number]) => licence.expiresAt?.getTime() ?? forever;
        const longest = [...byKind].map(([kind, of]) => [kind, Math.max(...of.map(until))] as const);
        const found = row?.active ?? [];
        const asFound = found.map((one) => [`${one.level} ${one.devices}`, one.until] as const);
        expect(new Map<string, number>(asFound)).toEqual(new Map<string, number>(longest));
        expect(asFound).toHaveLength(longest.length);
        for (const one of found) expect(held.map(({ id }) => id as string | null)).toContain(one.offer);
      }
    }
  }));
