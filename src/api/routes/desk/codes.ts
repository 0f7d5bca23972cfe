import { createRoute } from "@hono/zod-openapi";
import { codeBody, codeParams, codeRow, type CodeRow, codesQuery } from "@/contract/desk/codes";
import { pageOf } from "@/contract/desk/pages";
import { reasonBody } from "@/contract/desk/reason";
import type { PromotionCode } from "@/domain/payments/checkout/checkout";
import { codesShown, createCode, retireCode } from "@/domain/payments/staff/codes";
import { answers, jsonBody, ok } from "../../answers";
import { deskCall, needsCode } from "../../desk-call";
import { byDesk } from "../../desk-guards";
import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";

/** /api/desk/codes: promotion codes, which Stripe keeps. */
export function deskCodeRoutes(shop: Shop) {
  const { ctx, checkout } = shop;
  return newRouter()
    .openapi(
      createRoute({
        ...deskCall(shop, "code.read"),
        method: "get",
        path: "/codes",
        summary: "Every promotion code, the newest first",
        description: "Asks Stripe.",
        request: { query: codesQuery },
        responses: answers("A page of the codes", pageOf(codeRow)),
      }),
      async (c) => {
        const { limit: most, after = null } = c.req.valid("query");
        const { codes, more } = await codesShown(checkout, { after, most }, c.get("desk").actor);
        const next = more ? (codes.at(-1)?.id ?? null) : null;
        return c.json(ok({ rows: codes.map(wire), next }), 200);
      },
    )
    .openapi(
      createRoute({
        ...deskCall(shop, "code.create"),
        method: "post",
        path: "/codes",
        summary: "Make a promotion code that buyers can use at once",
        description: needsCode,
        request: jsonBody(codeBody),
        responses: answers("The code", codeRow),
      }),
      async (c) => {
        const { code, percent, amount, most_uses, expires_at, reason } = c.req.valid("json");
        const wanted = {
          code,
          off: percent === undefined ? { amount: amount ?? 0 } : { percent },
          mostUses: most_uses ?? null,
          expiresAt: expires_at === undefined ? null : new Date(expires_at),
        };
        return c.json(ok(wire(await createCode(ctx, checkout, wanted, byDesk(c, reason)))), 200);
      },
    )
    .openapi(
      createRoute({
        ...deskCall(shop, "code.retire"),
        method: "post",
        path: "/codes/{id}/retire",
        summary: "End a promotion code, by what buyers type",
        description: needsCode,
        request: { params: codeParams, ...jsonBody(reasonBody) },
        responses: answers("The code", codeRow),
      }),
      async (c) => {
        const by = byDesk(c, c.req.valid("json").reason);
        return c.json(ok(wire(await retireCode(ctx, checkout, c.req.valid("param").id, by))), 200);
      },
    );
}

const wire = ({ id, code, off, uses, mostUses, expiresAt, active }: PromotionCode): CodeRow => ({
  id,
  code,
  takes_off: off,
  uses,
  most_uses: mostUses,
  expires_at: expiresAt?.toISOString() ?? null,
  active,
  brought: null,
});
