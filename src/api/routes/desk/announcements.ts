import { createRoute, z } from "@hono/zod-openapi";
import {
  announcement,
  announcementBody,
  announcementParams,
  announcementPreview,
  announcementPreviewBody,
  announcementRow,
  type AnnouncementRow,
  announcementTestBody,
} from "@/contract/wire/desk/announcements";
import { pageOf, pageOnly } from "@/contract/wire/desk/pages";
import { reasonBody } from "@/contract/wire/desk/reason";
import {
  announce,
  announcementShown,
  announcementsShown,
  isOver,
  type ListedAnnouncement,
  stopAnnouncement,
} from "@/domain/mailings/announce";
import { previewAnnouncement, testAnnouncement } from "@/domain/mailings/try-announcement";
import { answers, jsonBody, ok } from "../../answers";
import { asked, deskCall, deskPage, needsCode } from "../../desk-call";
import { byDesk } from "../../desk-guards";
import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";

/** /api/desk/announcements: letters to all customers. */
export function deskAnnouncementRoutes(shop: Shop) {
  const { ctx } = shop;
  const mail = () => (shop.mailState() === "off" ? ("off" as const) : ("on" as const));
  return newRouter()
    .openapi(
      createRoute({
        ...deskCall(shop, "announcement.read"),
        method: "get",
        path: "/announcements",
        summary: "Every announcement and its progress, newest first",
        request: { query: pageOnly },
        responses: answers("A page of the announcements", pageOf(announcementRow)),
      }),
      async (c) => {
        const query = c.req.valid("query");
        const rows = await announcementsShown(ctx, asked(query), c.get("desk").actor);
        return c.json(ok(deskPage(rows, query, { wire, place })), 200);
      },
    )
    .openapi(
      createRoute({
        ...deskCall(shop, "announcement.make"),
        method: "post",
        path: "/announcements",
        summary: "Mail a letter to every customer, once each",
        description: `Sending the same letter again continues the same announcement. ${needsCode}`,
        request: jsonBody(announcementBody),
        responses: answers("The announcement", announcementRow),
      }),
      async (c) => {
        const { subject, content, licensed_only: licensedOnly, offer, reason } = c.req.valid("json");
        const wanted = { subject, content, licensedOnly, offer, mail: mail() };
        return c.json(ok(wire(await announce(ctx, wanted, byDesk(c, reason)))), 200);
      },
    )
    .openapi(
      createRoute({
        ...deskCall(shop, "announcement.make"),
        method: "post",
        path: "/announcements/preview",
        summary: "Preview a letter, and count who would get it",
        description: "Sends nothing and changes nothing.",
        request: jsonBody(announcementPreviewBody),
        responses: answers("The letter", announcementPreview),
      }),
      async (c) => {
        const { subject, content, licensed_only: licensedOnly, offer } = c.req.valid("json");
        const wanted = { subject, content, licensedOnly, offer };
        const { email, counted } = await previewAnnouncement(ctx, wanted, c.get("desk").actor);
        return c.json(ok({ ...shop.renderEmail(email), ...counted }), 200);
      },
    )
    .openapi(
      createRoute({
        ...deskCall(shop, "announcement.make"),
        method: "post",
        path: "/announcements/test",
        summary: "Mail a letter only to yourself",
        request: jsonBody(announcementTestBody),
        responses: answers("The address that it is being mailed to", z.object({ email: z.string() })),
      }),
      async (c) => {
        const { account } = c.get("desk");
        const { reason, ...letter } = c.req.valid("json");
        const email = await testAnnouncement(ctx, letter, { account, mail: mail(), by: byDesk(c, reason) });
        return c.json(ok({ email }), 200);
      },
    )
    .openapi(
      createRoute({
        ...deskCall(shop, "announcement.read"),
        method: "get",
        path: "/announcements/{id}",
        summary: "An announcement with its text",
        request: { params: announcementParams },
        responses: answers("The announcement", announcement),
      }),
      async (c) => {
        const found = await announcementShown(ctx, c.req.valid("param").id, c.get("desk").actor);
        return c.json(ok({ ...wire(found), content: found.content }), 200);
      },
    )
    .openapi(
      createRoute({
        ...deskCall(shop, "announcement.stop"),
        method: "post",
        path: "/announcements/{id}/stop",
        summary: "Stop sending an announcement",
        description: `Letters already sent can't be recalled. ${needsCode}`,
        request: { params: announcementParams, ...jsonBody(reasonBody) },
        responses: answers("The announcement", announcementRow),
      }),
      async (c) => {
        const { id } = c.req.valid("param");
        await stopAnnouncement(ctx, id, byDesk(c, c.req.valid("json").reason));
        return c.json(ok(wire(await announcementShown(ctx, id, c.get("desk").actor))), 200);
      },
    );
}

const place = ({ id, createdAt }: ListedAnnouncement) => ({ id, at: createdAt });

function stateOf(one: ListedAnnouncement): AnnouncementRow["state"] {
  if (one.stoppedAt) return "stopped";
  return isOver(one) ? "done" : "under_way";
}

const wire = (one: ListedAnnouncement): AnnouncementRow => ({
  id: one.id,
  subject: one.subject,
  licensed_only: one.licensedOnly,
  offer: one.offer,
  state: stateOf(one),
  created_at: one.createdAt.toISOString(),
  stopped_at: one.stoppedAt?.toISOString() ?? null,
  customers: one.customers,
  looked: one.looked,
  posted: one.posted,
  sent: one.sent,
  deferred: one.deferred,
  dropped: one.dropped,
});
