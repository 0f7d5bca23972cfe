import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@/core/database/database";
import { entitles, isEntitling } from "@/domain/licences/entitlement/entitlement";
import { type Licence, licences } from "@/domain/schema/licences";

const now = new Date("2026-06-01T00:00:00Z");
const [past, future] = [new Date(now.getTime() - 1), new Date(now.getTime() + 1)];

const blank = {
  fixedEndsAt: null,
  redeemedByBuyer: false,
  staffDevices: null,
  staffOffer: null,
  paidUntil: null,
  paymentFellAt: null,
  keyTail: null,
  orderedAt: null,
  keySealed: "",
  level: "premium",
  chain: "premium",
  staffLevel: null,
  staffLevelOffer: null,
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

test("the entitlement function and the query condition always agree", async () => {
  const folder = mkdtempSync(join(tmpdir(), "entitlement-"));
  const store = await openStore({ url: `file:${join(folder, "shop.db")}` });
  try {
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
  } finally {
    store.close();
    rmSync(folder, { recursive: true });
  }
});
