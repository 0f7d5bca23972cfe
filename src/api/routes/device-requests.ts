import { createRoute, z } from "@hono/zod-openapi";
import { signInDecision, signInQuery, signInRequest } from "@/contract/wire/sign-in";
import { offlineFileBody } from "@/contract/wire/offline-files";
import { toWire } from "@/contract/wire/to-wire";
import { spend } from "@/core/limits/limits";
import { decideRequest, requestToDecide } from "@/domain/application/device-sign-in";
import { makeOwnOfflineFile } from "@/domain/application/offline-file";
import { answers, jsonBody, ok, refused } from "../answers";
import { newRouter, requesterOf, signedInCall } from "../route-guards";
import type { Shop } from "../shop";

const tags = ["Devices"];

/** /api/devices: applications that ask to be signed in, and files for computers that are never online. */
export function deviceRequestRoutes(shop: Shop) {
  const { ctx, limits, config } = shop;
  const signedIn = signedInCall(shop);
  return newRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/request",
        tags,
        summary: "The computer that shows this code",
        description: "A code that was decided about, has expired or never was is 404.",
        ...signedIn,
        request: { query: signInQuery },
        responses: answers("What the application says of itself", signInRequest),
      }),
      async (c) => {
        const { user_code: userCode } = c.req.valid("query");
        const request = await requestToDecide(ctx, limits, requesterOf(c, shop), userCode);
        return c.json(ok(toWire(signInRequest, request)), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/request",
        tags,
        summary: "Sign the application in on that computer, or decline",
        description:
          "Approving needs the password (`reauthenticate`), a licence (`license_required`) and a seat for the computer (`places_full`).",
        ...signedIn,
        request: jsonBody(signInDecision),
        responses: answers("Decided", z.null()),
      }),
      async (c) => {
        const { user_code: userCode, ...typed } = c.req.valid("json");
        await decideRequest(ctx, limits, requesterOf(c, shop), { userCode, ...typed });
        return c.json(ok(null), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/offline",
        tags,
        summary: "A licence file for a computer that is never online",
        description:
          "Needs the password (`reauthenticate`). Takes a seat for the computer (`license_required`, `places_full`), which is not free before the file ends.",
        ...signedIn,
        request: jsonBody(offlineFileBody),
        responses: {
          200: { description: "The file", content: { "text/plain": { schema: z.string() } } },
          "4XX": refused,
          "5XX": refused,
        },
      }),
      async (c) => {
        const requester = requesterOf(c, shop);
        await spend(ctx, limits["offline-file"], requester.account.id);
        const making = { issuer: config.publicUrl.origin, days: config.offlineDays, ...c.req.valid("json") };
        const { file } = await makeOwnOfflineFile(ctx, limits, requester, making);
        return c.text(file, 200, { "content-disposition": 'attachment; filename="license.lic"' });
      },
    );
}
