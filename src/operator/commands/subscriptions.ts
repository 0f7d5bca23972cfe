import { Command } from "commander";
import { money } from "@/contract/vocabulary/money";
import { charge } from "@/contract/vocabulary/next-charge";
import { operator } from "@/core/base/actor";
import { pageRows } from "@/core/database/pages";
import { billInWords, billOf } from "@/domain/bills/bill";
import { syncSubscription, syncSubscriptions } from "@/domain/payments/subscriptions/by-staff";
import {
  type ListedSubscription,
  subscriptionForStaff,
  type SubscriptionForStaff,
  subscriptionNamed,
  subscriptionsForStaff,
} from "@/domain/payments/subscriptions/for-staff";
import { subscriptionOperations } from "@/domain/operations/payments";
import { plusTax, type Subscription } from "@/domain/schema/subscriptions";
import {
  byOperator,
  print,
  withOptionalReason,
  withJson,
  withReason,
  withShop,
} from "../terminal/command-line";
import { addOperation, subjects } from "../terminal/operation-command";
import { progressBar } from "../terminal/progress";
import { counted, facts, stamp, table } from "../terminal/table";

type SyncOptions = { reason?: string; json?: boolean };

/** `shop subscriptions …` */
export function subscriptionCommand(): Command {
  const noun = new Command("subscriptions").description("what customers pay for by month or year");
  withJson(noun.command("list"), "subscriptions list")
    .description("the newest subscriptions")
    .action(({ json }: { json?: boolean }) =>
      withShop(async ({ ctx }) => {
        const rows = await subscriptionsForStaff(ctx, operator, { after: null, most: pageRows });
        print(
          json,
          rows.map(outputOf),
          rows.length === 0 ? "There is no subscription." : subscriptionTable(rows),
        );
      }),
    );
  withJson(noun.command("show <subscription>"), "subscriptions show sub_3A1b2C")
    .description(`everything about one subscription; ${subjects.subscription.about}`)
    .action((typed: string, { json }: { json?: boolean }) =>
      withShop(async ({ ctx }) => {
        const found = await subscriptionForStaff(ctx, operator, typed);
        const { email, key: licence } = found;
        const payments = found.payments.map((one) => ({
          id: one.id,
          session: one.sessionId,
          state: one.state,
          paid_at: one.paidAt,
          until: one.periodEndsAt,
          bill: billOf(one),
        }));
        print(json, { ...outputOf(found), email, licence, payments }, inLines(found));
      }),
    );
  addOperation(noun, subscriptionOperations.cancelSubscription, {
    description: "cancel at the end of what was paid; what was paid stays paid",
    examples: ['subscriptions cancel sub_3A1b2C --reason "asked by mail on 3 May"'],
    fields: { now: "end it right away instead" },
    output: ({ result: { id, status, endsAt }, result }) => ({
      data: { id, status, ends_at: endsAt },
      sentence: statusSentence(result),
    }),
  });
  withOptionalReason(
    noun.command("sync [subscription]"),
    'subscriptions sync --reason "the database was lost"',
  )
    .description("update one subscription from Stripe, or all that Stripe has, also after a lost database")
    .action((typed: string | undefined, options: SyncOptions) =>
      typed === undefined ? syncAll(options) : syncOne(typed, options),
    );
  withReason(noun.command("agree"), 'subscriptions agree --reason "looked through what differs"')
    .description(
      "after a restore, have Stripe agree with what the subscriptions should be, however much that changes",
    )
    .action((options: SyncOptions) => syncAll({ ...options, agreed: true }));
  return noun;
}

async function syncOne(typed: string, { reason, json }: SyncOptions): Promise<void> {
  await withShop(async ({ ctx, checkout }) => {
    const held = await subscriptionNamed(ctx, typed);
    const after = await syncSubscription(ctx, await checkout(), held, byOperator(reason));
    print(json, { id: after.id, from: held.status, to: after.status }, statusSentence(after));
  });
}

async function syncAll({ reason, json, agreed = false }: SyncOptions & { agreed?: boolean }): Promise<void> {
  await withShop(async ({ ctx, checkout }) => {
    const bar = progressBar("Asking Stripe about subscriptions", json);
    const wanted = { by: byOperator(reason), agreed, onProgress: bar.at };
    const report = await syncSubscriptions(ctx, await checkout(), wanted).finally(bar.end);
    const { asked, taken, changed, failed, differ, waits } = report;
    if (failed > 0) process.exitCode = 3;
    const sentence = `${counted(asked, "subscription")} checked: ${taken} taken in, ${changed} changed, ${failed} failed.`;
    const held = waits
      ? ` ${counted(differ, "subscription")} should be otherwise at Stripe, and nothing is changed there until you run shop subscriptions agree.`
      : "";
    print(json, report, `${sentence}${held}`);
  });
}

const outputOf = ({ subscription, username }: ListedSubscription) => ({
  id: subscription.id,
  stripe: subscription.stripeId,
  status: subscription.status,
  offer: subscription.offer,
  customer: subscription.accountId && { id: subscription.accountId, username },
  amount: subscription.amount,
  currency: subscription.currency,
  interval: subscription.every,
  renews_at: subscription.renewsAt,
  ends_at: subscription.endsAt,
  ended_at: subscription.endedAt,
  started_at: subscription.startedAt,
});

const subscriptionTable = (rows: ListedSubscription[]): string =>
  table(
    ["subscription", "status", "offer", "price", "customer", "renews", "ends"],
    rows.map(({ subscription, username }) => [
      subscription.id,
      subscription.status,
      subscription.offer,
      priceOf(subscription),
      username,
      stamp(subscription.renewsAt),
      stamp(subscription.endsAt),
    ]),
  );

const priceOf = ({ amount, currency, every }: Subscription) => `${money(amount, currency)} a ${every}`;

function statusSentence({ id, status, renewsAt, endsAt }: Subscription): string {
  if (status === "ended") return `${id} ended at ${stamp(endsAt)}.`;
  const next = endsAt
    ? `, and ends at ${stamp(endsAt)}`
    : renewsAt
      ? `, and renews at ${stamp(renewsAt)}`
      : "";
  return `${id} is ${status}${next}.`;
}

function inLines({ subscription: one, username, email, key, payments }: SubscriptionForStaff): string {
  const { cardBrand, cardLast4, nextAmount, changesTo } = one;
  return facts([
    ["id", one.id],
    ["at Stripe", one.stripeId],
    ["status", one.status],
    ["offer", one.offer],
    ["price", priceOf(one)],
    ["next charge", nextAmount === null ? null : charge(nextAmount, one.currency, plusTax(one))],
    ["renews", stamp(one.renewsAt)],
    ["ends", stamp(one.endsAt)],
    ...(changesTo === null ? [] : [["changes to", `${changesTo}, ${stamp(one.changesAt)}`]]),
    ["card", cardLast4 === null ? null : `${cardBrand} ${cardLast4}`],
    ["mode", one.livemode ? "live" : "test"],
    ["customer", username],
    ["email", email],
    ["licence", key],
    ["began", stamp(one.startedAt)],
    ["looked at", stamp(one.checkedAt)],
    ...payments.map((paid) => [
      `paid until ${stamp(paid.periodEndsAt) ?? "-"}`,
      `${billInWords(billOf(paid))}, ${paid.state} (${paid.id})`,
    ]),
  ]);
}
