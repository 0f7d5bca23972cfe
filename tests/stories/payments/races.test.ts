import { expect, test } from "bun:test";
import { checkout } from "../../support/people/buyer";
import { reconcilePayments } from "@/domain/payments/reconcile/reconcile-payments";
import { seededRandom } from "../../crash/random";
import { deliver, eventsOf } from "../../crash/events";
import { openStage } from "../../support/shop/stage";

test("result page, webhook and sweep, two hundred at once for one session, sell one licence and send one receipt", async () => {
  await using stage = await openStage({ webhooks: false, env: { LIMITS: "verify=1000/60" } });
  const buyer = stage.person();
  const session = await checkout(buyer);
  await stage.atStripe("pay", { session, email: "crowd@example.com" });
  const events = await eventsOf(stage.stripe.url, stage.stripe.secretKey);
  const { pick, whole } = seededRandom(8);
  const answers = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const way = whole(0, 9);
      if (way === 0)
        return (await reconcilePayments(stage.ctx, stage.shop.checkout)).failed === 0 ? 200 : 500;
      if (way < 5) return deliver(pick(events), stage.webhookUrl(), stage.stripe.webhookSecret);
      return (await buyer.get(`/api/stripe/verify-payment?session_id=${session}`)).status;
    }),
  );
  expect(new Set(answers)).toEqual(new Set([200]));
  await stage.shop.worker.drain();
  expect(await stage.count("licences")).toBe(1);
  expect(await stage.count("payments")).toBe(1);
  expect(await stage.count("audit_log WHERE action = 'payment.succeeded'")).toBe(1);
  expect(stage.mail.messages("crowd@example.com")).toHaveLength(1);
  expect(stage.lines.filter((line) => line.includes("staff notice") && line.includes(':sale"'))).toHaveLength(
    1,
  );
});

test("two hundred concurrent commits, half with failing guards, each succeed or fail alone", async () => {
  await using stage = await openStage({ webhooks: false });
  const { commit, mustHaveChanged } = await import("@/core/database/commit");
  const { keyValues } = await import("@/core/database/schema");
  const { eq } = await import("drizzle-orm");
  const { db } = stage.ctx.store;
  const results = await Promise.allSettled(
    Array.from({ length: 200 }, (_, at) =>
      commit(stage.ctx.store, [
        db.insert(keyValues).values({ name: `first ${at}`, value: "" }),
        db
          .update(keyValues)
          .set({ value: "changed" })
          .where(eq(keyValues.name, at % 2 ? "no such row" : `first ${at}`)),
        mustHaveChanged("conflict"),
      ]),
    ),
  );
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(100);
  const rows = await stage.ctx.store.client.execute(
    "SELECT name FROM installation WHERE name LIKE 'first %' AND value = 'changed'",
  );
  expect(rows.rows).toHaveLength(100);
});
