import { Command, Option } from "commander";
import { maxEvidenceText } from "@/contract/vocabulary/bounds";
import { operator } from "@/core/base/actor";
import { Refusal } from "@/core/base/refusal";
import { billInWords, billOf } from "@/domain/bills/bill";
import type { Services } from "@/domain/operations/operation";
import { paymentOperations } from "@/domain/operations/payments";
import { contestDispute, evidenceFor, evidenceTitles } from "@/domain/payments/evidence/evidence";
import type { RefundResult, RefundProposed } from "@/domain/payments/corrections/refund-payment";
import { refundInWords } from "@/domain/payments/refunds/refunds";
import { syncPayment, syncPayments } from "@/domain/payments/corrections/sync";
import { describeDeferred } from "@/domain/payments/reconcile/deferred-orders";
import { paymentNamed } from "@/domain/payments/reading/find";
import { ordersForStaff, paymentForStaff } from "@/domain/payments/status/for-staff";
import type { Refund } from "@/domain/schema/refunds";
import {
  withShop,
  byOperator,
  print,
  readReason,
  withOptionalReason,
  withJson,
} from "../terminal/command-line";
import { changesInWords } from "./changes-found";
import { addSales } from "./sales";
import { progressBar } from "../terminal/progress";
import { stripeFault } from "../terminal/stripe-errors";
import { counted, stamp, table } from "../terminal/table";
import { addOperation, subjects } from "../terminal/operation-command";
import { paymentInLines } from "./payment-lines";
import { anyAddress } from "../terminal/arguments";

const which = subjects.payment.about;

/** `shop payments …` */
export function paymentCommand(): Command {
  const noun = new Command("payments").description("checkouts and their payments");
  withJson(noun.command("show <payment>"), "payments show cs_live_a1B2c3")
    .description(`everything about one payment; ${which}`)
    .action((typed: string, { json }: { json?: boolean }) =>
      withShop(async ({ ctx }) => {
        const { payment, view } = await paymentForStaff(ctx, operator, typed);
        print(json, view, paymentInLines(payment, view.licences, ctx.now()));
      }),
    );
  withJson(noun.command("find"), "payments find --email ada@example.com")
    .description("the payments made with an email address, and the gifts to it, newest first")
    .addOption(
      new Option("--email <address>", "the address, in any case").argParser(anyAddress).makeOptionMandatory(),
    )
    .action(find);
  addOperation(noun, paymentOperations.resendReceipt, {
    description: "mail the receipt with its key once more, three times a day at most",
    examples: ['payments resend pi_3A1b2C --reason "lost the mail, ticket 12"'],
    output: ({ subject: { payment } }, { mail }) => ({
      data: { id: payment.id },
      sentence: `The receipt goes to ${payment.email} once more.${unlessMailed(mail)}`,
    }),
  });
  addOperation(noun, paymentOperations.correctPaymentEmail, {
    description: "replace an address that the buyer mistyped, and mail the receipt there",
    examples: ['payments correct-email pi_3A1b2C ada@example.com --reason "typo, ticket 12"'],
    fields: {
      email: { flags: "<address>", about: "the right address" },
      receiver: "it is the address of a gift's receiver, who is mailed the key",
    },
    output: correctedOutput,
  });
  addOperation(noun, paymentOperations.refundPayment, {
    description: "refund all that is left, or a part; a full refund ends the licence",
    examples: ['payments refund pi_3A1b2C --amount 200 --reason "two of three keys, ticket 12"'],
    notes: `
The same command run again makes no second refund, also after a backup was restored: it says that the refund was made, and
when. A second one of the same amount needs another reason.`,
    fields: {
      amount: {
        flags: "--amount <minor>",
        about: "a part, in minor units such as cents (default: all that is left)",
      },
      keep: "of a subscription: leave its licence and renewals, also after a full refund",
    },
    output: ({ result, subject: { payment } }) => refundOutput(result, payment.id),
  });
  addSales(noun);
  withOptionalReason(noun.command("sync [payment]"), 'payments sync --reason "webhooks were down"')
    .description("update one payment, or all that may have changed, from Stripe")
    .action((typed: string | undefined, options: SyncOptions) =>
      typed === undefined ? syncAll(options) : syncOne(typed, options),
    );
  withJson(
    noun.command("evidence <payment>"),
    "payments evidence pi_3A1b2C",
    'payments evidence pi_3A1b2C --submit --reason "a real sale"',
  )
    .description("the evidence for a bank in a dispute; --submit sends it to Stripe")
    .option("--submit", "send it, once, for every dispute of the payment that awaits evidence")
    .option("--text <words>", "your own words, sent with it; - reads them from standard input")
    .option("--reason <why>", "why it is contested; required with --submit", readReason)
    .action(evidence);
  addOperation(noun, paymentOperations.acceptDispute, {
    description: "accept a dispute as lost, which can't be undone; its licences end",
    examples: ['payments accept-dispute pi_3A1b2C --reason "the buyer is right, ticket 12"'],
    output: ({ subject: { payment } }) => ({
      data: { id: payment.id },
      sentence: "The dispute is accepted.",
    }),
  });
  return noun;
}

type SyncOptions = { reason?: string; json?: boolean };

const unlessMailed = (mail: Services["mail"]) => (mail === "off" ? " Mail is off (MAIL=off): it waits." : "");

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

async function syncOne(typed: string, { reason, json }: SyncOptions): Promise<void> {
  await withShop(async ({ ctx, checkout }) => {
    const { payment } = await paymentNamed(ctx, typed);
    const after = await syncPayment(ctx, await checkout(), payment, byOperator(reason));
    const output = { id: payment.id, from: payment.state, to: after?.state ?? payment.state };
    const bill = after ? billInWords(billOf(after)) : "";
    print(json, output, `${payment.id} was ${output.from} and is now ${output.to}. ${bill}`.trim());
  });
}

async function syncAll({ reason, json }: SyncOptions): Promise<void> {
  await withShop(async ({ ctx, checkout }) => {
    const bar = progressBar("Asking Stripe about payments", json);
    const { report, kept } = await syncPayments(ctx, await checkout(), {
      by: byOperator(reason),
      onProgress: bar.at,
    }).finally(bar.end);
    const { since, asked, changed, failed } = report;
    if (kept.count > 0) process.exitCode = 3;
    print(
      json,
      { ...report, kept },
      `Since ${stamp(new Date(since))}: ${asked} checked, ${changed} changed, ${failed} failed.${changesInWords(report)}${kept.count > 0 ? `\n${describeDeferred(kept)}` : ""}`,
    );
  });
}

type CorrectedAddress = {
  result: { replaced: number };
  subject: Awaited<ReturnType<typeof paymentNamed>>;
  given: { email: string; receiver?: boolean | undefined };
};

function correctedOutput(
  { result: { replaced }, subject, given: { email, receiver } }: CorrectedAddress,
  { mail }: Services,
) {
  const { payment, licences } = subject;
  const what = receiver ? "key" : "receipt";
  const isRevoked = receiver && licences.every(({ revokedAt }) => revokedAt !== null);
  const obstacle = isRevoked ? "licence is revoked" : `payment is ${payment.state}`;
  const sentence =
    payment.state === "succeeded" && !isRevoked
      ? `The ${what} goes to ${email}.${unlessMailed(mail)}`
      : `The address is ${email} now. The ${obstacle}, so the ${what} is not sent.`;
  const dead =
    replaced > 0
      ? ` The wrong address had ${counted(replaced, "unused key")}: replaced, and worthless there.`
      : "";
  return { data: { id: payment.id, email, replaced }, sentence: `${sentence}${dead}` };
}

function refundOutput(done: RefundResult | RefundProposed, id: string) {
  // only staff who may not refund propose
  if (!("payment" in done)) throw new Refusal("forbidden");
  const { refund: made, before } = done;
  const { amount, state } = made;
  const data = {
    id,
    refund: made.id,
    amount,
    state,
    stripe: made.stripeId,
    made_at: made.madeAt,
    made_before: before,
  };
  const words = refundInWords(done);
  if (before) return { data, sentence: madeBefore(words, made) };
  if (state === "made") return { data, sentence: `${words} is refunded (${made.stripeId}).` };
  const fault = done.fault ? stripeFault(done.fault) : "Stripe did not answer";
  const sentence = `${words} is asked for, but not made yet. ${fault}. The running shop keeps trying.`;
  return { data, sentence, pending: true };
}

const madeBefore = (words: string, { madeAt, decidedAt, stripeId }: Refund) =>
  `${words} was refunded before, on ${stamp(madeAt ?? decidedAt)} (${stripeId}), and nothing was refunded now. To refund the same amount again, give another reason.`;

type EvidenceOptions = { submit?: boolean; text?: string; reason?: string; json?: boolean };

async function evidence(
  typed: string,
  { submit, text: typedText, reason, json }: EvidenceOptions,
  command: Command,
): Promise<void> {
  if (submit && !reason) command.error("error: --submit requires a --reason");
  const text = typedText === "-" ? (await Bun.stdin.text()).trim() : (typedText ?? "");
  if (text.length > maxEvidenceText)
    command.error(`error: --text takes ${maxEvidenceText.toLocaleString("en-US")} characters at most`);
  await withShop(async ({ ctx, checkout }) => {
    const sale = await paymentNamed(ctx, typed);
    if (!submit || !reason) {
      const shown = await evidenceFor(ctx, sale, text);
      const lines = (Object.entries(shown) as [keyof typeof shown, string][]).map(
        ([name, value]) => `${evidenceTitles[name]}:\n  ${value.replaceAll("\n", "\n  ")}`,
      );
      return print(json, shown, lines.join("\n"));
    }
    const contested = await contestDispute(ctx, await checkout(), sale, { ...byOperator(reason), text });
    const sentence = contested === 1 ? "The dispute was contested." : `${contested} disputes were contested.`;
    print(json, { id: sale.payment.id, contested }, sentence);
  });
}
