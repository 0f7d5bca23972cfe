import { Command, Option } from "commander";
import { operator } from "@/core/base/actor";
import type { Config } from "@/core/settings/config";
import { limitTable } from "@/contract/vocabulary/limits";
import { billInWords, billOf } from "@/domain/bills/bill";
import { correctAddress, resendReceipt } from "@/domain/payments/corrections/corrections";
import { contestDispute, evidenceFor } from "@/domain/payments/evidence/evidence";
import { refundPayment } from "@/domain/payments/corrections/refund-payment";
import { refundInWords } from "@/domain/payments/refunds/refunds";
import { syncPayment, syncPayments } from "@/domain/payments/corrections/sync";
import { keptInWords } from "@/domain/payments/reconcile/kept";
import { paymentNamed } from "@/domain/payments/reading/find";
import { ordersForStaff, paymentForStaff } from "@/domain/payments/status/for-staff";
import type { Refund } from "@/domain/schema/refunds";
import { withShop, byOperator, example, print, withJson, withReason } from "../terminal/command-line";
import { changesInWords } from "./changes-found";
import { progressBar } from "../terminal/progress";
import { stripeFault, unreadLists } from "../terminal/stripe-errors";
import { counted, stamp, table } from "../terminal/table";
import { paymentInLines } from "./payment-lines";
import { anyAddress, emailAddress, positive } from "../terminal/arguments";

const which = "a payment's id, or Stripe's id of its session (cs_…) or intent (pi_…)";

/** `shop payments …` */
export function paymentCommand(): Command {
  const noun = new Command("payments").description("checkouts and their payments");
  withJson(noun.command("show <payment>"))
    .description(`everything about one payment; ${which}`)
    .addHelpText("after", example("payments show cs_live_a1B2c3"))
    .action((typed: string, { json }: { json?: boolean }) =>
      withShop(async ({ ctx }) => {
        const { payment, view } = await paymentForStaff(ctx, operator, typed);
        print(json, view, paymentInLines(payment, view.licences, ctx.now()));
      }),
    );
  withJson(noun.command("find"))
    .description("the payments made with an email address, and the gifts to it, newest first")
    .addOption(
      new Option("--email <address>", "the address, in any case").argParser(anyAddress).makeOptionMandatory(),
    )
    .addHelpText("after", example("payments find --email ada@example.com"))
    .action(find);
  withReason(noun.command("resend <payment>"))
    .description("mail the receipt with its key once more, three times a day at most")
    .addHelpText("after", example('payments resend pi_3A1b2C --reason "lost the mail, ticket 12"'))
    .action((typed: string, { reason, json }: Changing) =>
      withShop(async ({ ctx, config }) => {
        const { payment } = await paymentNamed(ctx, typed);
        await resendReceipt(ctx, limitTable(config.limits), payment, byOperator(reason));
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
    .action(
      (typed: string, email: string, { reason, json, receiver = false }: Changing & { receiver?: boolean }) =>
        withShop(async ({ ctx, config }) => {
          const { payment, licences } = await paymentNamed(ctx, typed);
          const replaced = await correctAddress(ctx, payment, { email, receiver }, byOperator(reason));
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
    .option("--keep", "of a subscription: leave its licence and renewals, also after a full refund")
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
    const output = await ordersForStaff(ctx, operator, email);
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
        : table(["payment", "opened", "state", "amount", "gift to", "keys"], lines);
    print(json, output, sentence);
  });
}

async function syncOne(typed: string, { reason, json }: { reason: string; json?: boolean }): Promise<void> {
  await withShop(async ({ ctx, checkout }) => {
    const { payment } = await paymentNamed(ctx, typed);
    const after = await syncPayment(ctx, await checkout(), payment, byOperator(reason));
    const output = { id: payment.id, from: payment.state, to: after?.state ?? payment.state };
    const bill = after ? billInWords(billOf(after)) : "";
    print(json, output, `${payment.id} was ${output.from} and is now ${output.to}. ${bill}`.trim());
  });
}

async function syncAll({ reason, json }: { reason: string; json?: boolean }): Promise<void> {
  await withShop(async ({ ctx, checkout }) => {
    const bar = progressBar("Asking Stripe about payments", json);
    const { report, kept } = await syncPayments(ctx, await checkout(), {
      by: byOperator(reason),
      onProgress: bar.at,
    }).finally(bar.end);
    const { since, asked, changed, failed, skipped } = report;
    const except = skipped.length > 0 ? `\nEverything was read except ${unreadLists(skipped)}` : "";
    if (kept.count > 0) process.exitCode = 3;
    print(
      json,
      { ...report, kept },
      `Since ${stamp(new Date(since))}: ${asked} checked, ${changed} changed, ${failed} failed.${except}${changesInWords(report)}${kept.count > 0 ? `\n${keptInWords(kept)}` : ""}`,
    );
  });
}

async function refund(
  typed: string,
  { amount = null, keep = false, reason, json }: Changing & { amount?: number | null; keep?: boolean },
): Promise<void> {
  await withShop(async ({ ctx, checkout }) => {
    const { payment } = await paymentNamed(ctx, typed);
    const wanted = { amount, keeps: keep, by: byOperator(reason) };
    const done = await refundPayment(ctx, await checkout(), payment, wanted);
    const { refund: made, before } = done;
    const output = {
      id: payment.id,
      refund: made.id,
      amount: made.amount,
      state: made.state,
      stripe: made.stripeId,
      made_at: made.madeAt,
      made_before: before,
    };
    const words = refundInWords(done);
    if (made.state !== "made") process.exitCode = 3;
    const fault = done.fault ? stripeFault(done.fault) : "Stripe did not answer";
    const sentence = before
      ? madeBefore(words, made)
      : made.state === "made"
        ? `${words} is refunded (${made.stripeId}).`
        : `${words} is asked for, but not made yet. ${fault}. The running shop keeps trying.`;
    print(json, output, sentence);
  });
}

const madeBefore = (words: string, { madeAt, decidedAt, stripeId }: Refund) =>
  `${words} was refunded before, on ${stamp(madeAt ?? decidedAt)} (${stripeId}), and nothing was refunded now. To refund the same amount again, give another reason.`;

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
