import { createRoute, z } from "@hono/zod-openapi";
import { deviceRemoveBody, deviceRenameBody, type OwnDevice, ownDevice } from "@/contract/wire/own-devices";
import { pageQuery } from "@/contract/wire/pages";
import { toWire } from "@/contract/wire/to-wire";
import type { KeptDevice } from "@/domain/devices/seats";
import { devicesAfter, firstDevice } from "@/domain/devices/list";
import { removeDevice } from "@/domain/devices/remove";
import { renameDevice } from "@/domain/devices/rename";
import { device } from "@/contract/wire/application";
import { answers, jsonBody, needsSession, ok } from "../answers";
import { listAnswers, pageAnswer, placeIn, rowsToRead } from "../list-answers";
import { newRouter, requesterOf, signedInCall, signedInOnly } from "../route-guards";
import type { Shop } from "../shop";

const tags = ["Devices"];

/** /api/devices: the computers of the account. */
export function ownDeviceRoutes(shop: Shop) {
  const { ctx, limits, memory } = shop;
  const signedIn = signedInCall(shop);
  return newRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/",
        tags,
        summary: "The computers that the account keeps",
        ...signedIn,
        request: { query: pageQuery },
        responses: listAnswers("Last seen first", ownDevice),
      }),
      async (c) => {
        const { id } = c.get("signedIn").account;
        const kept = await devicesAfter(ctx, id, placeIn(c.req.valid("query")), rowsToRead);
        return c.json(
          pageAnswer(kept, {
            wire: deviceToWire,
            place: ({ lastSeenAt, id: device }) => ({ at: lastSeenAt, id: device }),
          }),
          200,
        );
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/remove",
        tags,
        summary: "Remove a computer, so that another can take its seat",
        description:
          "In 30 days as many computers can be removed as the account has seats: a refusal says in `available_at` when it is possible.",
        ...signedIn,
        request: jsonBody(deviceRemoveBody),
        responses: answers("It is removed", z.null()),
      }),
      async (c) => {
        const requester = requesterOf(c, shop);
        memory.spend(limits["device-change"], requester.account.id);
        await removeDevice(ctx, requester, c.req.valid("json").id);
        return c.json(ok(null), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/rename",
        tags,
        summary: "Name a computer; activating no longer changes its name",
        ...signedIn,
        request: jsonBody(deviceRenameBody),
        responses: answers("It has that name", z.null()),
      }),
      async (c) => {
        const { actor, account } = requesterOf(c, shop);
        memory.spend(limits["device-change"], account.id);
        await renameDevice(ctx, { accountId: account.id, ...c.req.valid("json") }, { actor });
        return c.json(ok(null), 200);
      },
    );
}

const deviceToWire = (kept: KeptDevice): OwnDevice =>
  toWire(ownDevice, { ...kept, firstSeen: kept.firstSeenAt, lastSeen: kept.lastSeenAt });

/** /api/user/device: the device shown in the dashboard. */
export function deviceRoutes(shop: Shop) {
  return newRouter().openapi(
    createRoute({
      method: "get",
      path: "/device",
      tags: ["Account"],
      summary: "The device that the account is bound to",
      security: needsSession,
      middleware: [signedInOnly(shop)] as const,
      responses: answers("null if none is bound", device),
    }),
    async (c) => {
      const bound = await firstDevice(shop.ctx, c.get("signedIn").account.id);
      if (!bound) return c.json(ok(null), 200);
      const { firstSeenAt: firstSeen, lastSeenAt: lastSeen, deactivatedAt, ...rest } = bound;
      const active = deactivatedAt === null;
      return c.json(ok(toWire(device.unwrap(), { ...rest, active, firstSeen, lastSeen })), 200);
    },
  );
}
