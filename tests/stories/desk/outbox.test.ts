import { expect, test } from "bun:test";
import { auditTrail } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import { enqueue } from "@/core/jobs/outbox";
import { outbox, stuckAfterFailures } from "@/core/database/schema";
import { receiptAgainEmail } from "@/domain/payments/emails/receipt";
import { atDesk } from "../../support/people/desk";
import { openStage, type Stage } from "../../support/shop/stage";
import { hour } from "@/contract/vocabulary/time";

const reason = "the mailbox is gone";

/** Two deliveries that have failed so often that somebody must look. */
async function stuck(stage: Stage): Promise<void> {
  await commit(
    stage.ctx.store,
    ["one", "two"].map((subject) =>
      enqueue(stage.ctx, { topic: receiptAgainEmail, subject, delayMilliseconds: 5 * hour }),
    ),
  );
  await stage.ctx.store.db.update(outbox).set({ attempts: stuckAfterFailures, lastError: "451" });
}

test("owners see what keeps failing, have it tried again or give it up, and the log says who", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  await stage.shop.worker.drain();
  await stuck(stage);
  const { rows } = (await olga.get("jobs?state=stuck")).body.data;
  expect(rows).toMatchObject([
    { topic: "mail.receipt-again", subject: "one", attempts: stuckAfterFailures, last_error: "451" },
    { subject: "two" },
  ]);
  const [one, two] = rows.map(({ id }: { id: string }) => id);
  for (const path of ["jobs", "jobs?state=all", "jobs?state=stuck&more=1"])
    expect((await olga.get(path)).status).toBe(400);
  expect((await olga.post(`outbox/${one}/retry`, { reason })).body.data).toEqual({
    id: one,
    state: "retried",
  });
  // of a payment that there isn't: nothing is left to do
  await stage.shop.worker.drain();
  expect((await olga.post(`outbox/${one}/retry`, { reason })).body).toMatchObject({
    status: 404,
    code: "outbox_unknown",
  });
  const drops = await Promise.all(
    Array.from({ length: 50 }, () => olga.post(`outbox/${two}/drop`, { reason })),
  );
  expect(drops.filter(({ status }) => status === 200)).toHaveLength(1);
  expect((await olga.get("jobs?state=stuck")).body.data.rows).toEqual([]);
  const log = await auditTrail(stage.ctx, { action: "delivery", limit: 10 });
  expect(log.map(({ action, subject, actorRole, reason: why }) => [action, subject, actorRole, why])).toEqual(
    [
      ["delivery.dropped", "mail.receipt-again:two", "owner", reason],
      ["delivery.retried", "mail.receipt-again:one", "owner", reason],
    ],
  );
});
