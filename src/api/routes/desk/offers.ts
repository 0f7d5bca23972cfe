import { createRoute, z } from "@hono/zod-openapi";
import {
  offerBody,
  offerChangeBody,
  offerRow,
  type OfferRow,
  offersQuery,
} from "@/contract/wire/desk/offers";
import { pageOf } from "@/contract/wire/desk/pages";
import { reasonBody } from "@/contract/wire/desk/reason";
import { addOffer, changeOffer, retireOffer } from "@/domain/offers/change";
import { type OfferShown, offerShown, offersShown } from "@/domain/offers/for-staff";
import { answers, jsonBody, ok } from "../../answers";
import { recurringOf } from "../../offer-on-the-wire";
import { deskCall, deskPage, needsCode, rowsAfter } from "../../desk-call";
import { byDesk } from "../../desk-guards";
import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";
import { id } from "@/contract/wire/envelope";

const params = z.object({ id });

/** /api/desk/offers: what is on sale, or was. */
export function deskOfferRoutes(shop: Shop) {
  const { ctx } = shop;
  return newRouter()
    .openapi(
      createRoute({
        ...deskCall(shop, "offer.read"),
        method: "get",
        path: "/offers",
        summary: "Every offer: the shop's first offer, then the others, newest first",
        request: { query: offersQuery },
        responses: answers("A page of the offers", pageOf(offerRow)),
      }),
      async (c) => {
        const query = c.req.valid("query");
        const all = (await offersShown(ctx, c.get("desk").actor)).filter(
          ({ state }) => query.state === undefined || state === query.state,
        );
        return c.json(ok(deskPage(rowsAfter(all, query, place), query, { wire, place })), 200);
      },
    )
    .openapi(
      createRoute({
        ...deskCall(shop, "offer.add"),
        method: "post",
        path: "/offers",
        summary: "Put another offer on sale",
        description: `Its price is in the shop's currency. ${needsCode}`,
        request: jsonBody(offerBody),
        responses: answers("The offer", offerRow),
      }),
      async (c) => {
        const { reason, trial_days: trialDays, ...offer } = c.req.valid("json");
        await addOffer(ctx, { ...offer, trialDays }, byDesk(c, reason));
        return c.json(ok(wire(await offerShown(ctx, offer.id, c.get("desk").actor))), 200);
      },
    )
    .openapi(
      createRoute({
        ...deskCall(shop, "offer.change"),
        method: "post",
        path: "/offers/{id}/change",
        summary: "Change an offer for later sales",
        description: `Earlier sales keep their terms. Only \`amount\` of the shop's first offer can be changed. ${needsCode}`,
        request: { params, ...jsonBody(offerChangeBody) },
        responses: answers("The offer", offerRow),
      }),
      async (c) => {
        const { id } = c.req.valid("param");
        const { reason, name, amount, days, devices, trial_days: trialDays } = c.req.valid("json");
        const change = {
          ...(name === undefined ? {} : { name }),
          ...(amount === undefined ? {} : { amount }),
          ...(days === undefined ? {} : { days }),
          ...(devices === undefined ? {} : { devices }),
          ...(trialDays === undefined ? {} : { trialDays }),
        };
        await changeOffer(ctx, id, change, byDesk(c, reason));
        return c.json(ok(wire(await offerShown(ctx, id, c.get("desk").actor))), 200);
      },
    )
    .openapi(
      createRoute({
        ...deskCall(shop, "offer.retire"),
        method: "post",
        path: "/offers/{id}/retire",
        summary: "Take an offer off sale for good",
        description: `Earlier sales keep their terms. ${needsCode}`,
        request: { params, ...jsonBody(reasonBody) },
        responses: answers("The offer", offerRow),
      }),
      async (c) => {
        const { id } = c.req.valid("param");
        await retireOffer(ctx, id, byDesk(c, c.req.valid("json").reason));
        return c.json(ok(wire(await offerShown(ctx, id, c.get("desk").actor))), 200);
      },
    );
}

/** The brand's own offer comes before all others. */
const place = ({ id, createdAt }: OfferShown) => ({ id, at: createdAt ?? new Date(8_640_000_000_000) });

const wire = ({ createdAt, retiredAt, ...offer }: OfferShown): OfferRow => ({
  id: offer.id,
  name: offer.name,
  amount: offer.amount,
  currency: offer.currency,
  days: offer.days,
  devices: offer.devices,
  recurring: recurringOf(offer),
  first: offer.first,
  state: offer.state,
  created_at: createdAt?.toISOString() ?? null,
  retired_at: retiredAt?.toISOString() ?? null,
});
