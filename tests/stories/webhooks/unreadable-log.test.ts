import { expect, test } from "bun:test";
import { like, sql } from "drizzle-orm";
import { operator } from "@/core/base/actor";
import { newId } from "@/core/database/context";
import { auditLog, outbox } from "@/core/database/schema";
import { webhookEvents } from "@/domain/schema/webhooks";
import { addEndpoint, testEndpoint } from "@/domain/webhooks/change-endpoint";
import { readLog } from "@/domain/webhooks/read-log";
import { openStage } from "../../support/shop/stage";

const by = { actor: operator, reason: "a story" };

test.each([
  ["licence.issued", "{broken"],
  ["licence.ends_moved", `{"moved":"soon"}`],
  ["licence.ends_moved", `{"moved":[null]}`],
  ["payment.refunded", `{"before":5,"refunded":100}`],
  ["payment.refunded", `"nothing"`],
])(
  "an entry %s of the log with %s makes no webhook, staff are notified once, and reading goes on",
  async (action, detail) => {
    await using stage = await openStage();
    const { ctx } = stage;
    // the shop's own job would read the log first, and its worker would hand the notices on
    await stage.shop.webhooksOut?.stop();
    await stage.shop.worker.stop();
    const { db } = ctx.store;
    const { endpoint } = await addEndpoint(
      ctx,
      { url: "https://receiver.example.com/", types: null, allowPrivate: false },
      by,
    );
    const id = newId();
    await db.insert(auditLog).values({
      id,
      at: ctx.now(),
      actor: "shop",
      actorKind: "shop",
      action,
      subject: newId(),
      detail: sql`${detail}` as never,
    });
    await testEndpoint(ctx, endpoint.id, by);
    for (let more = true; more;) more = await readLog(ctx);
    const events = await db.select().from(webhookEvents);
    expect(events.map(({ type }) => type)).toEqual(["webhook.test"]);
    const notices = await db.select().from(outbox).where(like(outbox.subject, "webhooks:unreadable%"));
    expect(notices.map(({ topic }) => topic).toSorted()).toEqual(["owner.notice", "staff.notice"]);
    expect(notices[0]?.payload).toContain(`(${id}, ${action})`);
    expect(await readLog(ctx)).toBe(false);
  },
);
