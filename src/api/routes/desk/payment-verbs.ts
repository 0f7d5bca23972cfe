import { createRoute, z } from "@hono/zod-openapi";
import { decisionBodies, paymentBodies, refundOutcome } from "@/contract/wire/desk/payment-operations";
import { paymentRow, refundRow } from "@/contract/wire/desk/rows";
import { paymentRows } from "@/domain/desk/payments";
import { refundRows } from "@/domain/desk/refunds";
import { contestDispute } from "@/domain/payments/evidence/evidence";
import { resendReceipt } from "@/domain/payments/corrections/corrections";
import { declineRefund } from "@/domain/payments/corrections/proposals";
import {
  approveAndMake,
  askForRefund,
  type RefundStanding,
} from "@/domain/payments/corrections/refund-payment";
import { syncPayment } from "@/domain/payments/corrections/sync";
import { expectPayment } from "@/domain/payments/reading/find";
import { jsonBody, needsDesk, refused } from "../../answers";
import { byDesk, deskOnly } from "../../desk-guards";
import { theRow } from "../../desk-row";
import { askingStripe } from "../../stripe-faults";
import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";
import { verb, verbRoutes } from "./verbs";
import { id } from "@/contract/wire/envelope";

const params = z.object({ id });

/** /api/desk/payments/{id}: what staff can do with a payment. */
export function deskPaymentVerbs(shop: Shop) {
  const { ctx, checkout, limits } = shop;
  const row = async (id: string) => theRow(await paymentRows(ctx, [id]));
  const common = { data: paymentRow };
  return verbRoutes(shop, [
    verb({
      ...common,
      path: "/payments/{id}/resend",
      summary: "Mail a receipt with its keys again",
      description: "Three times a day at most. Redeemed keys are masked in it.",
      operation: "payment.resend_receipt",
      body: paymentBodies.resend,
      async act({ id, by }) {
        await resendReceipt(ctx, limits, (await expectPayment(ctx, id)).payment, by);
        return row(id);
      },
    }),
    verb({
      ...common,
      path: "/payments/{id}/sync",
      summary: "Settle a payment by what Stripe reports now",
      operation: "payment.sync",
      body: paymentBodies.sync,
      async act({ id, by }) {
        const { payment } = await expectPayment(ctx, id);
        await askingStripe(() => syncPayment(ctx, checkout, payment, by));
        return row(id);
      },
    }),
    verb({
      ...common,
      path: "/payments/{id}/contest",
      summary: "Send evidence for every dispute of a payment that is waiting for it",
      operation: "payment.contest",
      body: paymentBodies.contest,
      async act({ id, by }) {
        const sale = await expectPayment(ctx, id);
        await askingStripe(() => contestDispute(ctx, checkout, sale, by));
        return row(id);
      },
    }),
  ]);
}

const outcome = <S extends 200 | 202>(status: S) => ({
  "application/json": { schema: z.object({ status: z.literal(status), data: refundOutcome }) },
});

const outcomes = {
  200: { description: "The refund is made", content: outcome(200) },
  202: {
    description: "An owner has to decide, or Stripe could not be reached and is asked again",
    content: outcome(202),
  },
  "4XX": refused,
  "5XX": refused,
};

/** /api/desk: refunds, and the decisions of owners about those that support proposes. */
export function deskRefundRoutes(shop: Shop) {
  const { ctx, checkout } = shop;
  const answer = async ({ id, state, repeated }: RefundStanding) => {
    const { amount, currency } = theRow(await refundRows(ctx, [id]));
    const data = { refund: id, state, amount, currency, ...(repeated && { repeated }) };
    return state === "made" ? { status: 200 as const, data } : { status: 202 as const, data };
  };
  return newRouter()
    .openapi(
      createRoute({
        method: "post",
        path: "/payments/{id}/refund",
        tags: ["desk"],
        summary: "Refund a payment, or propose it to the owners",
        description:
          "Owners refund, which needs a fresh code (`confirm`). Support proposes, up to the shop's daily cap (`refund_cap`) and with one open proposal for each payment.",
        security: needsDesk,
        middleware: [deskOnly(shop, "refund.propose")] as const,
        request: { params, ...jsonBody(paymentBodies.refund) },
        responses: outcomes,
      }),
      async (c) => {
        const { amount = null, keep = false, reason } = c.req.valid("json");
        const { payment } = await expectPayment(ctx, c.req.valid("param").id);
        const cap = shop.config.refundDailyCap;
        const wanted = { amount, keeps: keep, cap, by: byDesk(c, reason) };
        const asked = await askingStripe(() => askForRefund(ctx, checkout, payment, wanted));
        const body = await answer(asked);
        return body.status === 200 ? c.json(body, 200) : c.json(body, 202);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/refunds/{id}/approve",
        tags: ["desk"],
        summary: "Approve a refund that support proposed",
        description: "Needs a fresh code (`confirm`).",
        security: needsDesk,
        middleware: [deskOnly(shop, "refund.approve")] as const,
        request: { params, ...jsonBody(decisionBodies.approve) },
        responses: outcomes,
      }),
      async (c) => {
        const by = byDesk(c, c.req.valid("json").reason);
        const { id } = c.req.valid("param");
        const body = await answer(await askingStripe(() => approveAndMake(ctx, checkout, id, by)));
        return body.status === 200 ? c.json(body, 200) : c.json(body, 202);
      },
    )
    .route(
      "/",
      verbRoutes(shop, [
        verb({
          path: "/refunds/{id}/decline",
          summary: "Decline a refund that support proposed",
          operation: "refund.decline",
          body: decisionBodies.decline,
          data: refundRow,
          async act({ id, by }) {
            await declineRefund(ctx, id, by);
            return theRow(await refundRows(ctx, [id]));
          },
        }),
      ]),
    );
}
