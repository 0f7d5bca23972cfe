import { createRoute, z } from "@hono/zod-openapi";
import { type AccountExport, accountExport, deleteBody, taxFacts } from "@/contract/wire/security";
import { toWire } from "@/contract/wire/to-wire";
import { customer } from "@/core/base/actor";
import { jsonPieces, type Pages } from "@/core/base/json-pieces";
import { spend } from "@/core/limits/limits";
import { deleteOwnAccount } from "@/domain/privacy/erase";
import { exportAccount } from "@/domain/privacy/export";
import { answers, jsonBody, ok } from "../answers";
import { writeCookie } from "../cookies";
import { streamFile } from "../streamed";
import { requesterOf, newRouter, signedInCall } from "../route-guards";
import type { Shop } from "../shop";
import { licenceOnTheWire } from "./licences";
import { paymentOnTheWire, subscriptionOnTheWire } from "./payments";
import { securityEventOnTheWire, sessionOnTheWire } from "./auth";
import { messageOnTheWire, ticketOnTheWire } from "../tickets-on-the-wire";

/** /api/user: export the stored data, delete the account. */
export function privacyRoutes(shop: Shop) {
  const { ctx, limits, checkout } = shop;
  const { publicUrl } = shop.config;
  const signedIn = signedInCall(shop);
  return newRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/export",
        tags: ["Account"],
        summary: "Everything stored about the account, as a file",
        ...signedIn,
        responses: answers("The export", accountExport),
      }),
      async (c) => {
        const { account, session } = c.get("signedIn");
        const headers = {
          "content-type": "application/json",
          "content-disposition": `attachment; filename="account-${account.username}.json"`,
        };
        const data = onTheWire(await exportAccount(ctx, customer(account.id), { account, session }), shop);
        return streamFile(c, { ctx, accountId: account.id, headers }, jsonPieces(ok(data))) as never;
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/delete",
        tags: ["Account"],
        summary: "Delete the account",
        description: "Its license keys stay used, and its payments stay on record without a name.",
        ...signedIn,
        request: jsonBody(deleteBody),
        responses: answers("The account is deleted", z.null()),
      }),
      async (c) => {
        const requester = requesterOf(c, shop);
        await spend(ctx, limits["account-delete"], requester.account.id);
        await deleteOwnAccount(ctx, { limits, checkout }, requester, c.req.valid("json"));
        for (const name of ["session", "known"] as const) writeCookie(c, { name, value: "", publicUrl });
        c.header("Clear-Site-Data", '"cache", "storage"');
        return c.json(ok(null), 200);
      },
    );
}

/** The export, whose lists are yet to be read. */
type Unread = {
  [Name in keyof AccountExport]: AccountExport[Name] extends (infer Row)[]
    ? Pages<Half<Row>>
    : AccountExport[Name];
};
type Half<Row> = { [Name in keyof Row]: Name extends "messages" ? AsyncIterable<Row[Name]> : Row[Name] };

function onTheWire(
  held: Awaited<ReturnType<typeof exportAccount>>,
  shop: Pick<Shop, "ctx" | "mailState" | "botState">,
): Unread {
  const { account, device, link } = held;
  return {
    account: {
      id: account.id,
      username: account.username,
      email: account.email,
      timezone: account.timezone,
      created_at: account.createdAt.toISOString(),
      mfa: account.mfaEnabledAt !== null,
      last_reset: account.deviceResetAt?.toISOString() ?? null,
      unsubscribed_at: account.unsubscribedAt?.toISOString() ?? null,
    },
    device: device && {
      label: device.label,
      os: device.os,
      version: device.version,
      first_seen_at: device.firstSeenAt.toISOString(),
      last_seen_at: device.lastSeenAt.toISOString(),
    },
    devices: mapped(held.devices, (one) => ({
      label: one.label,
      os: one.os,
      version: one.version,
      first_seen_at: one.firstSeenAt.toISOString(),
      last_seen_at: one.lastSeenAt.toISOString(),
      deactivated_at: one.deactivatedAt?.toISOString() ?? null,
      offline_until: one.offlineUntil?.toISOString() ?? null,
    })),
    discord: link && { user_id: link.discordUserId, linked_at: link.linkedAt.toISOString() },
    licenses: mapped(held.licences, licenceOnTheWire),
    payments: mapped(held.payments, (one) => ({
      ...paymentOnTheWire(one),
      tax_facts: one.taxFacts && toWire(taxFacts, one.taxFacts),
    })),
    subscriptions: mapped(held.subscriptions, (one) => ({
      ...subscriptionOnTheWire(one),
      billing_email: one.billingEmail,
    })),
    purchases: mapped(held.purchases, (one) => ({
      payment: one.paymentId,
      terms_edition: one.termsEdition,
      terms_accepted_at: one.termsAcceptedAt.toISOString(),
      address: one.address,
      user_agent: one.userAgent,
    })),
    tickets: mapped(held.tickets, (ticket) => ({
      ...ticketOnTheWire(ticket, shop),
      messages: mapped(held.messagesOf(ticket.id), (message) => messageOnTheWire(ticket, message, shop)),
    })),
    sessions: mapped(held.sessions, sessionOnTheWire),
    security_events: mapped(held.security, securityEventOnTheWire),
    notes: mapped(held.notes, ({ at, text }) => ({ at: at.toISOString(), text })),
  };
}

async function* mapped<Row, Wire>(pages: Pages<Row>, wire: (row: Row) => Wire): AsyncGenerator<Wire[]> {
  for await (const rows of pages) yield rows.map(wire);
}
