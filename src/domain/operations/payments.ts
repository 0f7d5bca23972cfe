import * as declared from "@/contract/operations/payments";
import type { RefundOutcome } from "@/contract/wire/desk/refunds";
import type { Ctx } from "@/core/database/context";
import { correctionRows, refundRows } from "../staff-queries/proposals";
import { paymentRows } from "../staff-queries/payments";
import { addUpSales } from "../staff-queries/sales";
import { subscriptionRows } from "../staff-queries/subscriptions";
import {
  approveCorrection,
  askForCorrection,
  declineCorrection,
} from "../payments/corrections/correction-proposals";
import { resendReceipt } from "../payments/corrections/corrections";
import { resendLostReceipts } from "../payments/corrections/lost-receipts";
import { declineRefund } from "../payments/corrections/proposals";
import {
  approveAndMake,
  askForRefund,
  type RefundResult,
  type RefundProposed,
} from "../payments/corrections/refund-payment";
import { syncPayment } from "../payments/corrections/sync";
import { acceptDispute, contestDispute, evidenceToRead } from "../payments/evidence/evidence";
import { readBooksNow } from "../payments/books/read-books";
import { cancelAsStaff } from "../payments/subscriptions/by-staff";
import type { Payment } from "../schema/payments";
import { implement, Pending, resultItself, type Services, theRow } from "./operation";

type OfPayment = { subject: { payment: Payment } };
type ById = { subject: string };

const answer = async ({ ctx }: Services, { subject }: OfPayment) => paymentRow(ctx, subject);
const paymentRow = async (ctx: Ctx, { payment: { id } }: OfPayment["subject"]) =>
  theRow(await paymentRows(ctx, [id]));
const correction = async ({ ctx }: Services, { subject: id }: ById) =>
  theRow(await correctionRows(ctx, [id]));

async function outcome(
  { ctx }: Services,
  { result }: { result: RefundResult | Pick<RefundResult, "refund"> | RefundProposed },
): Promise<RefundOutcome | Pending<RefundOutcome>> {
  const { id, state: now } = result.refund;
  const state: RefundOutcome["state"] = now === "made" || now === "proposed" ? now : "approved";
  const { amount, currency } = theRow(await refundRows(ctx, [id]));
  const repeated = "before" in result && result.before && { repeated: true as const };
  const data = { refund: id, state, amount, currency, ...repeated };
  return state === "made" ? data : new Pending(data);
}

/** What staff do with a payment, and what owners decide of what support proposed. */
export const paymentOperations = {
  refundPayment: implement(declared.refundPayment, {
    run: async ({ ctx, checkout, config }, { payment }, { amount = null, keep: keeps = false }, by) =>
      askForRefund(ctx, await checkout(), payment, { amount, keeps, cap: config.refundDailyCap, by }),
    answer: outcome,
  }),
  resendLostReceipts: implement(declared.resendLostReceipts, {
    run: ({ ctx, limits }, _, _given, by) => resendLostReceipts(ctx, limits, by),
    answer: resultItself,
  }),
  resendReceipt: implement(declared.resendReceipt, {
    run: ({ ctx, limits }, { payment }, _, by) => resendReceipt(ctx, limits, payment, by),
    answer,
  }),
  correctPaymentEmail: implement(declared.correctPaymentEmail, {
    run: ({ ctx }, { payment }, { email, receiver = false }, by) =>
      askForCorrection(ctx, payment, { email, receiver }, by),
    answer: async (services, { result: { proposal }, subject }) =>
      proposal === null
        ? paymentRow(services.ctx, subject)
        : new Pending(await correction(services, { subject: proposal })),
  }),
  syncPayment: implement(declared.syncPayment, {
    run: async ({ ctx, checkout }, { payment }, _, by) => syncPayment(ctx, await checkout(), payment, by),
    answer,
  }),
  contestDispute: implement(declared.contestDispute, {
    run: async ({ ctx, checkout }, sale, { text }, by) =>
      contestDispute(ctx, await checkout(), sale, { ...by, text }),
    answer,
  }),
  showEvidence: implement(declared.showEvidence, {
    run: ({ ctx }, sale, _, by) => evidenceToRead(ctx, sale, by),
    answer: resultItself,
  }),
  acceptDispute: implement(declared.acceptDispute, {
    run: async ({ ctx, checkout }, sale, _, by) => acceptDispute(ctx, await checkout(), sale, by),
    answer,
  }),
  exportSales: implement(declared.exportSales, {
    async run({ ctx, checkout }, _, { month }, by) {
      await readBooksNow(ctx, await checkout(), by);
      return addUpSales(ctx, month, by);
    },
    answer: resultItself,
  }),
  approveRefund: implement(declared.approveRefund, {
    run: async ({ ctx, checkout }, id, _, by) => approveAndMake(ctx, await checkout(), id, by),
    answer: outcome,
  }),
  declineRefund: implement(declared.declineRefund, {
    run: ({ ctx }, id, _, by) => declineRefund(ctx, id, by),
    answer: async ({ ctx }, { subject: id }) => theRow(await refundRows(ctx, [id])),
  }),
  approveCorrection: implement(declared.approveCorrection, {
    run: ({ ctx }, id, _, by) => approveCorrection(ctx, id, by),
    answer: correction,
  }),
  declineCorrection: implement(declared.declineCorrection, {
    run: ({ ctx }, id, _, by) => declineCorrection(ctx, id, by),
    answer: correction,
  }),
};

/** What staff do with a subscription. */
export const subscriptionOperations = {
  cancelSubscription: implement(declared.cancelSubscription, {
    run: async ({ ctx, checkout }, held, { now = false }, by) =>
      cancelAsStaff(ctx, await checkout(), held, { when: now ? "now" : "period_end", by }),
    answer: async ({ ctx }, { subject: { id } }) => theRow(await subscriptionRows(ctx, [id])),
  }),
};
