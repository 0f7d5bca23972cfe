import { and, eq, isNull } from "drizzle-orm";
import { theShop } from "@/core/actor";
import { record } from "@/core/audit";
import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { notice } from "@/core/notice";
import { webhookEndpoints } from "../schema/webhooks";

/**
 * The shop gives an endpoint up and notifies staff. What waits for it is cancelled by the next runs. Two failures at
 * once disable it once: the notice waits at most once, and the row keeps the first reason.
 */
export function disableWrites(ctx: Ctx, { id, url }: { id: string; url: string }, reason: string): Write[] {
  const sentence = `The webhook endpoint ${new URL(url).origin} (${id}) is disabled: ${reason}. Events are kept for 30 days: see shop webhooks enable, and replay.`;
  return [
    ctx.store.db
      .update(webhookEndpoints)
      .set({ disabledAt: ctx.now(), disabledWhy: reason })
      .where(and(eq(webhookEndpoints.id, id), isNull(webhookEndpoints.disabledAt))),
    ...notice(ctx, `webhook:${id}`, { kind: "trouble", sentence }),
    record(ctx, { actor: theShop, action: "webhook.disabled", subject: id, detail: { why: reason } }),
  ];
}
