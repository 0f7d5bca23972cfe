import { operator } from "@/core/base/actor";
import { expect, test } from "bun:test";
import { announce, postAnnouncements } from "@/domain/campaigns/announce";
import { accounts } from "@/domain/schema/accounts";
import { payments } from "@/domain/schema/payments";
import { operated } from "../../support/operator/run-operator";
import { openStage, type Stage } from "../../support/shop/stage";
import { member } from "../accounts/people";

/** The rejected emails in the audit log, with their subjects. */
async function rejectedEmails(stage: Stage) {
  const trail: { subject: string; detail: { letter: string } }[] = await operated(
    stage,
    "audit",
    "show",
    "--action",
    "mail.rejected",
  );
  return trail.map(({ subject, detail }) => `${detail.letter} ${subject}`).toSorted();
}

async function deliverAll(stage: Stage) {
  await stage.stripe.flush();
  await stage.shop.worker.drain();
}

test("the audit log records every email that a mail server rejects for good, whatever it is about", async () => {
  await using stage = await openStage();
  await member(stage, "ada");
  await deliverAll(stage);
  stage.mail.setFaults({ mode: "reject-5xx", at: "recipient" });
  await stage.buy("gone@example.com");
  await deliverAll(stage);
  const [payment] = await stage.ctx.store.db.select().from(payments);
  const receipt = `receipt ${payment?.id}`;
  expect(await rejectedEmails(stage)).toEqual([receipt]);

  await stage.person().post("/api/payments/find", { email: "gone@example.com" });
  await deliverAll(stage);
  const orders = `orders ${payment?.id}`;
  expect(await rejectedEmails(stage)).toEqual([orders, receipt]);

  const news = { subject: "News", content: "We moved", licensedOnly: false, offer: null };
  await announce(stage.ctx, news, { actor: operator, reason: "-" });
  await postAnnouncements(stage.ctx);
  await deliverAll(stage);
  const [ada] = await stage.ctx.store.db.select().from(accounts);
  const subjects = [`announcement ${ada?.id}`, `announcement ${payment?.id}`].toSorted();
  expect(await rejectedEmails(stage)).toEqual([...subjects, orders, receipt]);
});
