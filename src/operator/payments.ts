import { Command, Option } from "commander";
import { money } from "@/contract/money";
import { record } from "@/core/audit";
import type { Config } from "@/core/config";
import { Refusal } from "@/core/refusal";
import { deadlineInWords } from "@/core/time-left";
import { commit } from "@/core/commit";
import { statusOf } from "@/domain/licences/entitlement";
import { keyOf } from "@/domain/licences/issue";
import { maskKey } from "@/domain/licences/keys";
import { billInWords, billOf } from "@/domain/bills/bill";
import { correctEmail, correctReceiver, resendReceipt } from "@/domain/payments/staff/corrections";
import { CheckoutUnreachable } from "@/domain/payments/checkout/checkout";
import { contestDispute, evidenceFor } from "@/domain/payments/evidence/evidence";
import { carryOut } from "@/domain/payments/staff/carry-out-refund";
import { refundInWords, requestRefund } from "@/domain/payments/staff/refunds";
import { keptInWords, keptOrders } from "@/domain/payments/reconcile/kept";
import { settle } from "@/domain/payments/settle/settle";
import { reconcilePayments } from "@/domain/payments/reconcile/reconcile-payments";
import { offerOf } from "@/domain/payments/checkout/order-terms";
import { paymentNamed } from "@/domain/payments/view/find";
import { giftsTo, paymentsWith } from "@/domain/payments/view/orders-by-email";
import { isKept, type Payment } from "@/domain/schema/payments";
import type { Refund } from "@/domain/schema/refunds";
import { withShop, byOperator, example, print, withJson, withReason } from "./command-line";
import { changesInWords } from "./changes-found";
import { progressBar } from "./progress";
import { stripeFault, unreadLists } from "./stripe-errors";
import { type Cell, counted, facts, stamp, table } from "./table";
import { emailAddress, positive } from "./arguments";

const which = "a payment's id, or Stripe's id of its session (cs_…) or intent (pi_…)";

/** `shop payments …` */
export function paymentCommand(): Command {
  const noun = new Command("payments").description("checkouts and their payments");
  withJson(noun.command("show <payment>"))
    .description(`everything about one payment; ${which}`)
    .addHelpText("after", example("payments show cs_live_a1B2c3"))
    .action((typed: string, { json }: { json?: boolean }) =>
      withShop(async ({ ctx }) => {
        const { payment, licences } = await paymentNamed(ctx, typed);
        const keys = licences.map((licence) => ({ id: licence.id, key: maskKey(keyOf(ctx, licence)) }));
        const output = {
          ...payment,
          browserHash: undefined,
          unusualEmailKey: undefined,
          emailKey: undefined,
          unusualGiftKey: undefined,
          giftKey: undefined,
          seal: undefined,
          ...shownDispute(payment),
          bill: billOf(payment),
          offer: offerOf(payment).offer,
          licence: keys[0] ?? null,
          licences: keys,
        };
        print(json, output, inLines(payment, keys, ctx.now()));
      }),
    );
  withJson(noun.command("find"))
    .description("the payments made with an email address, and the gifts to it, newest first")
    .addOption(
      new Option("--email <address>", "the address, in any case")
        .argParser(emailAddress)
        .makeOptionMandatory(),
    )
    .addHelpText("after", example("payments find --email ada@example.com"))
    .action(find);
  withReason(noun.command("resend <payment>"))
    .description("mail the receipt with its key once more")
    .addHelpText("after", example('payments resend pi_3A1b2C --reason "lost the mail, ticket 12"'))
    .action((typed: string, { reason, json }: Changing) =>
      withShop(async ({ ctx, config }) => {
        const { payment } = await paymentNamed(ctx, typed);
        await resendReceipt(ctx, payment, byOperator(reason));
        print(
          json,
          { id: payment.id },
          `The receipt goes to ${payment.email} once more.${unlessMailed(config)}`,
        );
      }),
    );
  withReason(noun.command("correct-email <payment>"))
    .description("replace an address that the buyer mistyped, and mail the receipt there")
    .argument("<address>", "the right address", emailAddress)
    .option("--receiver", "it is the address of a gift's receiver, who is mailed the key")
    .addHelpText(
      "after",
      example('payments correct-email pi_3A1b2C ada@example.com --reason "typo, ticket 12"'),
    )
    .action((typed: string, email: string, { reason, json, receiver }: Changing & { receiver?: boolean }) =>
      withShop(async ({ ctx, config }) => {
        const { payment, licences } = await paymentNamed(ctx, typed);
        const replaced = await (receiver ? correctReceiver : correctEmail)(
          ctx,
          payment,
          email,
          byOperator(reason),
        );
        const what = receiver ? "key" : "receipt";
        const isRevoked = receiver && licences.every(({ revokedAt }) => revokedAt !== null);
        const obstacle = isRevoked ? "licence is revoked" : `payment is ${payment.state}`;
        const sentence =
          payment.state === "succeeded" && !isRevoked
            ? `The ${what} goes to ${email}.${unlessMailed(config)}`
            : `The address is ${email} now. The ${obstacle}, so the ${what} is not sent.`;
        const dead =
          replaced > 0
            ? ` The wrong address had ${counted(replaced, "unused key")}: replaced, and worthless there.`
            : "";
        print(json, { id: payment.id, email, replaced }, `${sentence}${dead}`);
      }),
    );
  withReason(noun.command("refund <payment>"))
    .description("refund all that is left, or a part; a full refund ends the licence")
    .addOption(
      new Option(
        "--amount <minor>",
        "a part, in minor units such as cents (default: all that is left)",
      ).argParser(positive),
    )
    .addHelpText(
      "after",
      `${example('payments refund pi_3A1b2C --amount 200 --reason "two of three keys, ticket 12"')}
The same command run again makes no second refund, also after a backup was restored: it says that the refund was made, and
when. A second one of the same amount needs another reason.`,
    )
    .action(refund);
  withReason(noun.command("sync [payment]"))
    .description("update one payment, or all that may have changed, from Stripe")
    .addHelpText("after", example('payments sync --reason "webhooks were down"'))
    .action((typed: string | undefined, options: { reason: string; json?: boolean }) =>
      typed === undefined ? syncAll(options) : syncOne(typed, options),
    );
  withJson(noun.command("evidence <payment>"))
    .description("the evidence for a bank in a dispute; --submit sends it to Stripe")
    .option("--submit", "send it for every dispute of the payment that awaits evidence")
    .option("--reason <why>", "why it is contested; required with --submit")
    .addHelpText(
      "after",
      example("payments evidence pi_3A1b2C", 'payments evidence pi_3A1b2C --submit --reason "a real sale"'),
    )
    .action(evidence);
  return noun;
}

type Changing = { reason: string; json?: boolean };

const unlessMailed = ({ mail }: Config) => (mail === "off" ? " Mail is off (MAIL=off): it waits." : "");

async function find({ email, json }: { email: string; json?: boolean }): Promise<void> {
  await withShop(async ({ ctx }) => {
    const found = [...(await paymentsWith(ctx, email)), ...(await giftsTo(ctx, email))];
    const output = found.map(({ payment, keys }) => ({
      id: payment.id,
      at: payment.createdAt,
      state: payment.state,
      bill: billOf(payment),
      gift: payment.giftEmail,
      keys: keys.map(({ licence, owner }) => ({
        key: maskKey(keyOf(ctx, licence)),
        status: statusOf(ctx, licence),
        owner,
      })),
    }));
    const lines = output.map(({ id, at, state, bill, gift, keys }) => [
      id,
      stamp(at),
      state,
      billInWords(bill),
      gift,
      keys.map(({ key, status, owner }) => `${key} ${owner ?? status}`).join(", "),
    ]);
    const sentence =
      lines.length === 0
        ? "Nothing was bought with that address."
        : table(["payment", "opened (UTC)", "state", "amount", "gift to", "keys"], lines);
    print(json, output, sentence);
  });
}

/** The dispute in a field of its own instead of in several columns. */
const shownDispute = (payment: Payment) => ({
  disputeReason: undefined,
  disputeAmount: undefined,
  disputeCurrency: undefined,
  disputeAnswerBy: undefined,
  dispute: payment.disputeStatus && {
    status: payment.disputeStatus,
    reason: payment.disputeReason,
    amount: payment.disputeAmount,
    currency: payment.disputeCurrency,
    since: payment.disputedAt,
    answer_by: payment.disputeAnswerBy,
  },
});

function disputeLines(payment: Payment, now: Date): Cell[][] {
  const { disputeStatus, disputeReason, disputeAmount, disputeCurrency, disputeAnswerBy } = payment;
  if (disputeStatus === null) return [];
  const sum = disputeAmount !== null && disputeCurrency !== null && money(disputeAmount, disputeCurrency);
  const about = [disputeReason, sum].filter((part) => part).join(", ");
  const evidence = `shop payments evidence ${payment.id}; look at it, then --submit --reason …`;
  return [
    ["dispute", `${disputeStatus}${about && `: ${about}`}`],
    ...(disputeAnswerBy
      ? [
          ["answer by", deadlineInWords(disputeAnswerBy, now)],
          ["answer with", evidence],
        ]
      : []),
  ];
}

function inLines(payment: Payment, licences: { key: string }[], now: Date): string {
  const { currency, asked, off, tax, tax_included: included, paid, refunded } = billOf(payment);
  const { offer } = offerOf(payment);
  const { quantity, giftEmail: gift } = payment;
  const unlessNone = (amount: number) => (amount > 0 ? money(amount, currency) : null);
  const disputed = payment.disputeStatus && `, dispute ${payment.disputeStatus}`;
  const lines: Cell[][] = [
    ["id", payment.id],
    ["session", payment.sessionId],
    ["intent", payment.intentId],
    ["state", `${payment.state}${disputed ?? ""}`],
    ...disputeLines(payment, now),
    ["offer", quantity > 1 ? `${quantity} × ${offer}` : offer],
    ["asked", money(asked, currency)],
    ["off", unlessNone(off)],
    ["tax added", unlessNone(tax)],
    ["tax within", unlessNone(included)],
    ["paid", money(paid, currency)],
    ["refunded", unlessNone(refunded)],
    ["method", payment.method],
    ["mode", payment.livemode ? "live" : "test"],
    ["email", payment.email],
    ["account", payment.accountId],
    ...(gift === null ? [] : [["gift to", gift]]),
    ...licences.map(({ key }, at) => [quantity > 1 ? `licence ${at + 1}` : "licence", key]),
    ...(licences.length === 0 ? [["licence", null]] : []),
    ...(payment.invoiceUrl ? [["invoice", payment.invoiceUrl]] : []),
    ["opened (UTC)", stamp(payment.createdAt)],
    ["paid (UTC)", stamp(payment.paidAt)],
    ["receipt delivered (UTC)", stamp(payment.receiptSentAt)],
  ];
  if (payment.failureReason && !isKept(payment)) lines.push(["failed because", payment.failureReason]);
  if (isKept(payment)) {
    const words = `a newer release wrote the order (edition ${payment.sealVersion}), and settles it when it runs`;
    lines.push(["kept because", words]);
  }
  if (payment.mismatch) lines.push(["not as ordered", payment.mismatch]);
  if (payment.fraudWarnedAt) lines.push(["fraud suspected (UTC)", stamp(payment.fraudWarnedAt)]);
  return facts(lines);
}

async function syncOne(typed: string, { reason, json }: { reason: string; json?: boolean }): Promise<void> {
  await withShop(async ({ ctx, checkout }) => {
    const { payment } = await paymentNamed(ctx, typed);
    const after = await settle(ctx, await checkout(), payment.sessionId, { warnings: true });
    await commit(ctx.store, [
      record(ctx, { ...byOperator(reason), action: "payment.synced", subject: payment.id }),
    ]);
    const output = { id: payment.id, from: payment.state, to: after?.state ?? payment.state };
    const bill = after ? billInWords(billOf(after)) : "";
    print(json, output, `${payment.id} was ${output.from} and is now ${output.to}. ${bill}`.trim());
  });
}

async function syncAll({ reason, json }: { reason: string; json?: boolean }): Promise<void> {
  await withShop(async ({ ctx, checkout }) => {
    const bar = progressBar("Asking Stripe about payments", json);
    const report = await reconcilePayments(ctx, await checkout(), {
      lists: "now",
      onProgress: bar.at,
    }).finally(bar.end);
    await commit(ctx.store, [
      record(ctx, {
        ...byOperator(reason),
        action: "payments.synced",
        subject: "all",
        detail: { asked: report.asked, changed: report.changed, failed: report.failed },
      }),
    ]);
    const { since, asked, changed, failed, skipped } = report;
    const except = skipped.length > 0 ? `\nEverything was read except ${unreadLists(skipped)}` : "";
    const kept = await keptOrders(ctx);
    if (kept.count > 0) process.exitCode = 3;
    print(
      json,
      { ...report, kept },
      `Since ${stamp(new Date(since))} UTC: ${asked} checked, ${changed} changed, ${failed} failed.${except}${changesInWords(report)}${kept.count > 0 ? `\n${keptInWords(kept)}` : ""}`,
    );
  });
}

async function refund(
  typed: string,
  { amount = null, reason, json }: Changing & { amount?: number | null },
): Promise<void> {
  await withShop(async ({ ctx, checkout }) => {
    const gateway = await checkout();
    const { payment } = await paymentNamed(ctx, typed);
    // what was refunded elsewhere lowers what is left
    const now = (await settle(ctx, gateway, payment.sessionId)) ?? payment;
    const asked = await requestRefund(ctx, gateway, now, { amount, by: byOperator(reason) });
    let fault = "Stripe did not answer";
    const { refund: made, isNew } = await carryOut(ctx, gateway, asked.refund.id).catch((error: unknown) => {
      if (!(error instanceof CheckoutUnreachable)) throw error;
      fault = stripeFault(error);
      return asked;
    });
    if (made.state === "refused") {
      throw new Refusal("refund_refused", { sentence: `Stripe refused: ${made.refusal}` });
    }
    const before = made.state === "made" && !asked.isNew && !isNew;
    const output = {
      id: payment.id,
      refund: made.id,
      amount: made.amount,
      state: made.state,
      stripe: made.stripeId,
      made_at: made.madeAt,
      made_before: before,
    };
    const words = refundInWords({ refund: made, payment: now });
    if (made.state !== "made") process.exitCode = 3;
    const sentence = before
      ? madeBefore(words, made)
      : made.state === "made"
        ? `${words} is refunded (${made.stripeId}).`
        : `${words} is asked for, but not made yet. ${fault}. The running shop keeps trying.`;
    print(json, output, sentence);
  });
}

const madeBefore = (words: string, { madeAt, decidedAt, stripeId }: Refund) =>
  `${words} was refunded before, on ${stamp(madeAt ?? decidedAt)} UTC (${stripeId}), and nothing was refunded now. To refund the same amount again, give another reason.`;

function contestedInWords(count: number): string {
  if (count === 0)
    return "No dispute of that payment awaits an answer: it was given before, or the time is over.";
  return count === 1 ? "The dispute was contested." : `${count} disputes were contested.`;
}

type Showing = { submit?: boolean; reason?: string; json?: boolean };

async function evidence(typed: string, { submit, reason, json }: Showing, command: Command): Promise<void> {
  if (submit && !reason?.trim()) command.error("error: --submit requires a --reason");
  await withShop(async ({ ctx, checkout }) => {
    const sale = await paymentNamed(ctx, typed);
    if (!submit || !reason) {
      const shown = await evidenceFor(ctx, sale);
      const lines = Object.entries(shown).map(
        ([name, value]) => `${name}:\n  ${value.replaceAll("\n", "\n  ")}`,
      );
      return print(json, shown, lines.join("\n"));
    }
    const contested = await contestDispute(ctx, await checkout(), sale, byOperator(reason));
    print(json, { id: sale.payment.id, contested }, contestedInWords(contested));
  });
}
