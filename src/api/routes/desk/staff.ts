import { createRoute, z } from "@hono/zod-openapi";
import {
  type StaffAdded,
  staffAddBody,
  staffAdded,
  type StaffList,
  staffList,
} from "@/contract/wire/desk/staff";
import { reasonBody } from "@/contract/wire/desk/reason";
import { linkUrl } from "@/domain/accounts/sessions/link-token";
import { type Appointed, addStaff, removeStaff, staffOfShop, wakeStaff } from "@/domain/staff/staff-actions";
import { answers, jsonBody, needsDesk, ok } from "../../answers";
import { byDesk, deskOnly } from "../../desk-guards";
import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";
import { id } from "@/contract/wire/envelope";

const named = z.object({ id });

/** /api/desk/staff: who works for the shop. */
export function deskStaffRoutes(shop: Shop) {
  const { ctx } = shop;
  return newRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/staff",
        tags: ["desk"],
        summary: "All staff, and open invitations",
        security: needsDesk,
        middleware: [deskOnly(shop, "staff.read")] as const,
        responses: answers("In the order of their appointment", staffList),
      }),
      async (c) => c.json(ok(onTheWire(await staffOfShop(ctx, c.get("desk")))), 200),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/staff",
        tags: ["desk"],
        summary: "Change a role, or invite an account or an address",
        description:
          "Whoever has a role, given by name, has another one at once. Anybody else is mailed a link, which gives the role once it is accepted, within 72 hours: an account at its confirmed address (`email_unconfirmed`), an address as it is. Needs a fresh code (`confirm`).",
        security: needsDesk,
        middleware: [deskOnly(shop, "staff.add")] as const,
        request: jsonBody(staffAddBody),
        responses: answers("Changed or invited", staffAdded),
      }),
      async (c) => {
        const { name_or_email: who, role, reason } = c.req.valid("json");
        const mail = shop.mailState() === "off" ? "off" : "on";
        const added = await addStaff(ctx, { named: who, role, mail }, byDesk(c, reason));
        return c.json(ok(addedOnTheWire(shop, added)), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/staff/{id}/remove",
        tags: ["desk"],
        summary: "Remove a member of staff, or withdraw an invitation",
        description:
          "Their desk closes at once. The last owner can't be removed (`last_owner`). Needs a fresh code (`confirm`).",
        security: needsDesk,
        middleware: [deskOnly(shop, "staff.remove")] as const,
        request: { params: named, ...jsonBody(reasonBody) },
        responses: answers("The remaining staff", staffList),
      }),
      async (c) => {
        await removeStaff(ctx, c.req.valid("param").id, byDesk(c, c.req.valid("json").reason));
        return c.json(ok(onTheWire(await staffOfShop(ctx, c.get("desk")))), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/staff/{id}/wake",
        tags: ["desk"],
        summary: "Wake the role of a member of staff",
        description:
          "A recovery that leaves an account without two-factor puts its role to sleep (`role_asleep`). Needs a fresh code (`confirm`).",
        security: needsDesk,
        middleware: [deskOnly(shop, "staff.wake")] as const,
        request: { params: named, ...jsonBody(reasonBody) },
        responses: answers("All staff", staffList),
      }),
      async (c) => {
        await wakeStaff(ctx, c.req.valid("param").id, byDesk(c, c.req.valid("json").reason));
        return c.json(ok(onTheWire(await staffOfShop(ctx, c.get("desk")))), 200);
      },
    );
}

const onTheWire = ({ members, invitations }: Awaited<ReturnType<typeof staffOfShop>>): StaffList => ({
  members: members.map(({ twoFactor, asleepSince, since, ...rest }) => ({
    ...rest,
    two_factor: twoFactor,
    asleep_since: asleepSince?.toISOString() ?? null,
    since: since.toISOString(),
  })),
  invitations: invitations.map(({ createdAt, expiresAt, ...rest }) => ({
    ...rest,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  })),
});

function addedOnTheWire(shop: Shop, { account, role, invitation }: Appointed): StaffAdded {
  if (!invitation) return { account, role, invitation: null };
  const { id, email, token } = invitation;
  const link = shop.mailState() === "off" ? linkUrl(shop.config.publicUrl, "/invitation", token) : null;
  return { account: null, role, invitation: { id, email, link } };
}
