import { createRoute, z } from "@hono/zod-openapi";
import { decisionBodies, paymentBodies } from "@/contract/desk/payment-operations";
import { correctionRow, paymentRow } from "@/contract/desk/rows";
import { correctionRows } from "@/domain/desk/corrections";
import { paymentRows } from "@/domain/desk/payments";
import {
  approveCorrection,
  askForCorrection,
  declineCorrection,
} from "@/domain/payments/staff/correction-proposals";
import { expectPayment } from "@/domain/payments/view/find";
import { answers, jsonBody, needsDesk, ok } from "../../answers";
import { byDesk, deskOnly } from "../../desk-guards";
import { theRow } from "../../desk-row";
import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";
import { verb, verbRoutes } from "./verbs";

const proposed = z.object({ status: z.literal(202), data: correctionRow });

/** /api/desk: the addresses of orders and gifts, and the decisions of owners about those that support proposes. */
export function deskCorrectionRoutes(shop: Shop) {
  const { ctx } = shop;
  const row = async (id: string) => theRow(await correctionRows(ctx, [id]));
  return newRouter()
    .openapi(
      createRoute({
        method: "post",
        path: "/payments/{id}/correct-email",
        tags: ["desk"],
        summary: "Replace an address that the buyer mistyped, or propose that to the owners",
        description:
          "Owners replace it, which needs a fresh code (`confirm`): what was bought is mailed there, an unredeemed key that had left for the wrong address as a new one. Support proposes, with one open proposal for each address of an order.",
        security: needsDesk,
        middleware: [deskOnly(shop, "correction.propose")] as const,
        request: {
          params: z.object({ id: z.string().max(64) }),
          ...jsonBody(paymentBodies["correct-email"]),
        },
        responses: {
          ...answers("The address is replaced", paymentRow),
          202: {
            description: "An owner has to decide",
            content: { "application/json": { schema: proposed } },
          },
        },
      }),
      async (c) => {
        const { email, receiver = false, reason } = c.req.valid("json");
        const { payment } = await expectPayment(ctx, c.req.valid("param").id);
        const proposal = await askForCorrection(ctx, payment, { email, receiver }, byDesk(c, reason));
        if (proposal === null) return c.json(ok(theRow(await paymentRows(ctx, [payment.id]))), 200);
        return c.json({ status: 202 as const, data: await row(proposal) }, 202);
      },
    )
    .route(
      "/",
      verbRoutes(shop, [
        verb({
          path: "/corrections/{id}/approve",
          summary: "Approve an address that support proposed",
          description:
            "Needs a fresh code (`confirm`). Replacing an address declines what was proposed for it before: `correction_decided`. Refused as replacing it would be if the order has changed otherwise, such as `license_taken` once a gift's key is redeemed; the proposal then stays undecided.",
          operation: "correction.approve",
          body: decisionBodies.approve,
          data: correctionRow,
          async act({ id, by }) {
            await approveCorrection(ctx, id, by);
            return row(id);
          },
        }),
        verb({
          path: "/corrections/{id}/decline",
          summary: "Decline an address that support proposed",
          operation: "correction.decline",
          body: decisionBodies.decline,
          data: correctionRow,
          async act({ id, by }) {
            await declineCorrection(ctx, id, by);
            return row(id);
          },
        }),
      ]),
    );
}
