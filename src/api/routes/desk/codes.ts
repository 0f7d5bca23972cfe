import { createRoute } from "@hono/zod-openapi";
import { codeBody, codeParams, codeRow, type CodeRow, codesQuery } from "@/contract/wire/desk/codes";
import { pageOf } from "@/contract/wire/desk/pages";
import { reasonBody } from "@/contract/wire/desk/reason";
import type { Actor } from "@/core/base/actor";
import { broughtByCodes } from "@/domain/figures/by-offer-and-code";
import type { PromotionCode } from "@/domain/payments/port/promotion-code";
import { codesShown, createCode, retireCode } from "@/domain/payments/corrections/codes";
import { answers, jsonBody, ok } from "../../answers";
import { deskCall, needsCode } from "../../desk-call";
import { byDesk } from "../../desk-guards";
import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";

/** /api/desk/codes: promotion codes, which Stripe keeps. */
export function deskCodeRoutes(shop: Shop) {
  const { ctx, checkout } = shop;
  const told = async (actor: Actor, codes: PromotionCode[]): Promise<CodeRow[]> => {
    const names = codes.map(({ code }) => code);
    const brought = await broughtByCodes(ctx, actor, names);
    return codes.map((one) => wire(one, { ...nothing, ...brought.get(one.code), currency: ctx.currency }));
  };
  const toldOne = async (actor: Actor, code: PromotionCode): Promise<CodeRow> => {
    const brought = (await broughtByCodes(ctx, actor, [code.code])).get(code.code);
    return wire(code, { ...nothing, ...brought, currency: ctx.currency });
  };
  return newRouter()
    .openapi(
      createRoute({
        ...deskCall(shop, "code.read"),
        method: "get",
        path: "/codes",
        summary: "Every promotion code, newest first",
        description: "Read from Stripe.",
        request: { query: codesQuery },
        responses: answers("A page of the codes", pageOf(codeRow)),
      }),
      async (c) => {
        const { limit: most, after = null } = c.req.valid("query");
        const { codes, more } = await codesShown(checkout, { after, most }, c.get("desk").actor);
        const next = more ? (codes.at(-1)?.id ?? null) : null;
        return c.json(ok({ rows: await told(c.get("desk").actor, codes), next }), 200);
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
        const { code, percent, amount, lasts, most_uses, expires_at, reason } = c.req.valid("json");
        const wanted = {
          code,
          off: percent === undefined ? { amount: amount ?? 0 } : { percent },
          lasts,
          mostUses: most_uses ?? null,
          expiresAt: expires_at === undefined ? null : new Date(expires_at),
        };
        const by = byDesk(c, reason);
        return c.json(ok(await toldOne(by.actor, await createCode(ctx, checkout, wanted, by))), 200);
      },
    )
    .openapi(
      createRoute({
        ...deskCall(shop, "code.retire"),
        method: "post",
        path: "/codes/{id}/retire",
        summary: "End a promotion code; the path has the code that buyers type",
        description: needsCode,
        request: { params: codeParams, ...jsonBody(reasonBody) },
        responses: answers("The code", codeRow),
      }),
      async (c) => {
        const by = byDesk(c, c.req.valid("json").reason);
        const code = await retireCode(ctx, checkout, c.req.valid("param").id, by);
        return c.json(ok(await toldOne(by.actor, code)), 200);
      },
    );
}

const nothing = { orders: 0, gross: 0 };

const wire = (
  { id, code, off, lasts, uses, mostUses, expiresAt, active }: PromotionCode,
  brought: CodeRow["brought"],
): CodeRow => ({
  id,
  code,
  takes_off: off,
  lasts,
  uses,
  most_uses: mostUses,
  expires_at: expiresAt?.toISOString() ?? null,
  active,
  brought,
});
