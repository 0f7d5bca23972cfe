import { createRoute, z } from "@hono/zod-openapi";
import {
  type Licence,
  type LicenceHistory as OwnHistory,
  licence,
  licenceHistory,
  redeemBody,
  redeemed,
  unusedKey,
} from "@/contract/wire/licences";
import { pageQuery } from "@/contract/wire/pages";
import { spend } from "@/core/limits/limits";
import { licencesOf, type OwnLicence, placeOfLicence } from "@/domain/licences/changes/list";
import { redeem } from "@/domain/licences/changes/redeem";
import { confirmByKeyWrites } from "@/domain/accounts/addresses/proven-by-key";
import { mailedKey } from "@/domain/payments/reading/mailed-key";
import { licenceHistoriesOf, type LicenceHistory } from "@/domain/payments/status/licence-history";
import { unusedKeysOf } from "@/domain/payments/reading/unused-keys";
import { answers, jsonBody, ok } from "../answers";
import { browserHashesOf } from "../checkout-marks";
import { listAnswers, pageAnswer, placeIn, rowsToRead } from "../list-answers";
import { newRouter, requesterOf, signedInCall } from "../route-guards";
import type { Shop } from "../shop";

/** /api/licenses: the account's licences. */
export function licenceRoutes(shop: Shop) {
  const { ctx, limits } = shop;
  const signedIn = signedInCall(shop);
  return newRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/me",
        tags: ["Licenses"],
        summary: "The account's licenses",
        ...signedIn,
        request: { query: pageQuery },
        responses: listAnswers("Newest redemption first", licence),
      }),
      async (c) => {
        const own = await licencesOf(ctx, c.get("signedIn").account.id, {
          after: placeIn(c.req.valid("query")),
          most: rowsToRead,
        });
        return c.json(pageAnswer(own, { wire: licenceOnTheWire, place: placeOfLicence }), 200);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/unused",
        tags: ["Licenses"],
        summary: "The account's keys that are not in use",
        description:
          "Bought while signed in, for no gift, redeemed by nobody, and not refused by a dispute, refund or support. Empty if they would add nothing to the account.",
        ...signedIn,
        responses: answers("Newest purchase first, at most 100", z.array(unusedKey)),
      }),
      async (c) => {
        const unused = await unusedKeysOf(ctx, c.get("signedIn").account.id);
        const onTheWire = unused.map(({ paymentId, ...rest }) => ({ ...rest, payment_id: paymentId }));
        return c.json(ok(onTheWire), 200);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/history",
        tags: ["Licenses"],
        summary: "The history of each of the account's licenses",
        ...signedIn,
        request: { query: pageQuery },
        responses: listAnswers("Newest redemption first", licenceHistory),
      }),
      async (c) => {
        const own = await licenceHistoriesOf(ctx, c.get("signedIn").account.id, {
          after: placeIn(c.req.valid("query")),
          most: rowsToRead,
        });
        return c.json(
          pageAnswer(own, { wire: historyOnTheWire, place: ({ licence: one }) => placeOfLicence(one) }),
          200,
        );
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/redeem",
        tags: ["Licenses"],
        summary: "Redeem a key",
        ...signedIn,
        request: jsonBody(redeemBody),
        responses: answers("The key is redeemed", redeemed),
      }),
      async (c) => {
        const requester = requesterOf(c, shop);
        const { key, mailed_token: token } = c.req.valid("json");
        await spend(ctx, limits.redeem, requester.account.id);
        const mailed = shop.mailState() === "off" ? null : await mailedKey(ctx, token);
        const expires = await redeem(ctx, requester.actor, key, {
          browserHashes: browserHashesOf(c, shop.config.publicUrl),
          alsoFor: (licence) => confirmByKeyWrites(ctx, requester, licence, mailed),
        });
        return c.json(ok({ expiry_date: expires?.toISOString() ?? null }), 200);
      },
    );
}

const historyOnTheWire = ({ key, events }: LicenceHistory): OwnHistory => ({
  key,
  events: events.map(({ at, event }) => ({ date: at.toISOString(), event })),
});

export const licenceOnTheWire = ({
  id: _id,
  redeemedAt,
  expiresAt,
  paymentId,
  renewsAt,
  ...rest
}: OwnLicence): Licence => ({
  ...rest,
  redeemed_date: redeemedAt?.toISOString() ?? null,
  expiry_date: expiresAt?.toISOString() ?? null,
  payment_id: paymentId,
  renews_at: renewsAt?.toISOString() ?? null,
});
