/** Subscriptions are wherever payments are: evidence, search, export, the card of staff. */
import { expect, test } from "bun:test";
import { operator } from "@/core/base/actor";
import { accountExport } from "@/contract/wire/security";
import { customerOf } from "@/domain/customers/customer";
import { evidenceFor } from "@/domain/payments/evidence/evidence";
import { exportForOwner } from "@/domain/privacy/export-for-owner";
import { accounts } from "@/domain/schema/accounts";
import { payments } from "@/domain/schema/payments";
import { subscriptions } from "@/domain/schema/subscriptions";
import { customerCard } from "../../../bot/interactions/customer-card";
import { atDesk } from "../../support/people/desk";
import { openSubscriptionShop, pass, seenBy, settleAll, subscriber } from "./subscriber";

test("the evidence for any of its invoices has them all, with the use between them and what was agreed to", async () => {
  await using stage = await openSubscriptionShop();
  const { ada } = await subscriber(stage);
  await pass(stage, 32);
  await seenBy(ada);
  await pass(stage, 31);
  const held = await stage.ctx.store.db.select().from(payments);
  const renewal = held.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime())[0];
  if (!renewal) throw new Error("there is no renewal");
  const shown = await evidenceFor(stage.ctx, { payment: renewal, licences: [] });
  const lines = shown.access_activity_log.split("\n").map((line) => line.replace(/^.*? UTC {2}/, ""));
  const steps = lines.map((line) => line.replace(/ It paid until .*/, ""));
  const invoice = "An invoice of USD 3.00 was paid.";
  expect(steps.filter((line) => line === invoice)).toHaveLength(3);
  const between = steps.slice(steps.indexOf(invoice, steps.indexOf(invoice) + 1), steps.lastIndexOf(invoice));
  expect(between).toContain("The account with the license signed in to the shop.");
  expect(shown.product_description).toContain("It is a subscription");
  expect(shown.refund_policy_disclosure).toContain("were in force when the checkout was opened");
  expect(shown.customer_purchase_ip).toBeDefined();
});

test("staff find a subscription by Stripe's ids of it and its customer, by their address and their card", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, subscription } = await subscriber(stage);
  const { id } = await seenBy(ada);
  const vera = await atDesk(stage, "vera", "viewer");
  const { customerId } = (await stage.ctx.store.db.select().from(subscriptions))[0] ?? {};
  for (const q of [subscription, customerId, "ada@example.com", "ada", id, "4242"]) {
    const { body } = await vera.post("search", { q });
    expect([q, body.data.subscriptions]).toMatchObject([q, [{ id, status: "active" }]]);
  }
});

test("a customer's export has their subscriptions, and so has the one that staff hand out", async () => {
  await using stage = await openSubscriptionShop();
  const { ada } = await subscriber(stage);
  const { licence: _licence, graceDays: _days, ...own } = await seenBy(ada);
  const { body } = await ada.get("/api/user/export");
  expect(accountExport.parse(body.data).subscriptions).toEqual([
    { ...own, billing_email: "ada@example.com" },
  ]);
  const [account] = await stage.ctx.store.db.select().from(accounts);
  if (!account) throw new Error("there is no account");
  const { subscriptions: exported } = await exportForOwner(stage.ctx, operator, account);
  const rows: unknown[] = [];
  for await (const page of exported) rows.push(...page);
  expect(rows).toMatchObject([{ id: own.id, status: "active", key: own.license_key }]);
});

test("the card of a customer says what they subscribe to, and until when without the grace, and nothing of it without a subscription", async () => {
  await using stage = await openSubscriptionShop();
  await subscriber(stage);
  await settleAll(stage);
  const [account] = await stage.ctx.store.db.select().from(accounts);
  if (!account) throw new Error("there is no account");
  const seen = await customerOf(stage.ctx, account);
  const fieldOf = (card: ReturnType<typeof customerCard>, field = "Subscriptions") =>
    card.toJSON().fields?.find(({ name }) => name === field)?.value;
  expect(fieldOf(customerCard(seen))).toMatch(/^USD 3.00 a month, active, renews on <t:\d+:D> for USD 3.00$/);
  expect(fieldOf(customerCard({ ...seen, subscriptions: [] }))).toBeUndefined();
  const paidUntil = Math.floor(Number(seen.subscriptions[0]?.renewsAt) / 1000);
  expect(fieldOf(customerCard(seen), "Licenses")).toContain(`active, until <t:${paidUntil}:D>`);
});
