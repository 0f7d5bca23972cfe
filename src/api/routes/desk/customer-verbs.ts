import { customerBodies, erasedCustomer } from "@/contract/wire/desk/customer-operations";
import { customerRow, type CustomerRow } from "@/contract/wire/desk/rows";
import { requestEmail } from "@/domain/accounts/addresses/confirm-email";
import { resetMfa, signOutEverywhere } from "@/domain/accounts/credentials/staff-actions";
import { expectAccount } from "@/domain/customers/find";
import { customerRows } from "@/domain/desk/customers";
import { unbindDevice } from "@/domain/devices/remove";
import { moveLink, removeLink } from "@/domain/discord/change-link";
import { grantLicence } from "@/domain/offers/grant";
import { eraseAsStaff } from "@/domain/privacy/erase";
import { needsCode } from "../../desk-call";
import { theRow } from "../../desk-row";
import type { Shop } from "../../shop";
import { verb, verbRoutes } from "./verbs";

/** /api/desk/customers/{id}: what staff can do for a customer. */
export function deskCustomerVerbs(shop: Shop) {
  const { ctx, checkout } = shop;
  const row = async (id: string): Promise<CustomerRow> => theRow(await customerRows(ctx, [id]));
  const common = { data: customerRow };
  return verbRoutes(shop, [
    verb({
      ...common,
      path: "/customers/{id}/reset-device",
      summary: "Unbind a customer's computer",
      operation: "device.unbind",
      body: customerBodies["reset-device"],
      async act({ id, body: { device }, by }) {
        await unbindDevice(ctx, (await expectAccount(ctx, id)).id, by, device);
        return row(id);
      },
    }),
    verb({
      ...common,
      path: "/customers/{id}/reset-mfa",
      summary: "Turn two-factor off for a customer who lost their authenticator",
      description: needsCode,
      operation: "mfa.reset",
      body: customerBodies["reset-mfa"],
      async act({ id, by }) {
        await resetMfa(ctx, await expectAccount(ctx, id), by);
        return row(id);
      },
    }),
    verb({
      ...common,
      path: "/customers/{id}/change-email",
      summary: "Mail a link to a new address, which replaces the old one once the link is used",
      description: needsCode,
      operation: "account.request_email",
      body: customerBodies["change-email"],
      async act({ id, body: { email, ends_former: endsFormer = false }, by }) {
        await requestEmail(ctx, await expectAccount(ctx, id), { email, endsFormer }, by);
        return row(id);
      },
    }),
    verb({
      ...common,
      path: "/customers/{id}/sign-out",
      summary: "End every session of a customer",
      operation: "session.end_all",
      body: customerBodies["sign-out"],
      async act({ id, by }) {
        await signOutEverywhere(ctx, await expectAccount(ctx, id), by);
        return row(id);
      },
    }),
    verb({
      ...common,
      path: "/customers/{id}/link",
      summary: "Link a customer to a Discord user, ending earlier links of both",
      description: needsCode,
      operation: "discord.relink",
      body: customerBodies.link,
      async act({ id, body: { discord_id: discordUserId }, by }) {
        const { id: accountId } = await expectAccount(ctx, id);
        await moveLink(ctx, { ...by, accountId, discordUserId, displayName: null });
        return row(id);
      },
    }),
    verb({
      ...common,
      path: "/customers/{id}/unlink",
      summary: "End a customer's link to a Discord user",
      description: needsCode,
      operation: "discord.unlink",
      body: customerBodies.unlink,
      async act({ id, by }) {
        await removeLink(ctx, (await expectAccount(ctx, id)).id, by);
        return row(id);
      },
    }),
    verb({
      path: "/customers/{id}/erase",
      summary: "Delete a customer's account at their request",
      description: needsCode,
      operation: "account.erase",
      body: customerBodies.erase,
      data: erasedCustomer,
      async act({ id, by }) {
        await eraseAsStaff(ctx, async () => checkout, await expectAccount(ctx, id), by);
        return { id, erased: true as const };
      },
    }),
    verb({
      ...common,
      path: "/customers/{id}/grant",
      summary: "Give a customer a licence of an offer, which is added to their account at once",
      description: needsCode,
      operation: "licence.grant",
      body: customerBodies.grant,
      async act({ id, body: { offer }, by }) {
        await grantLicence(ctx, await expectAccount(ctx, id), offer, by);
        return row(id);
      },
    }),
  ]);
}
