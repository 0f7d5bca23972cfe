import { and, eq, isNull, lte } from "drizzle-orm";
import { theShop } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { mustHaveChanged } from "@/core/database/commit";
import { commitIfFirst } from "@/core/database/conflict";
import type { Ctx } from "@/core/database/context";
import { notice } from "../notice";
import { webhookEndpoints } from "../schema/webhooks";
import { disabledAfter } from "./retry-plan";
import { isSuccess, type SendResult } from "./sender";

type Endpoint = typeof webhookEndpoints.$inferSelect;

/**
 * Disables an endpoint that answered 410, or whose tries have failed for three days, and notifies staff; the next runs
 * cancel what waits. Decided by the stored row and once, however many tries fail together: staff may have enabled or
 * changed the endpoint while the try was under way, and it goes on then.
 */
export async function disableIfDue(ctx: Ctx, endpoint: Endpoint, result: SendResult): Promise<void> {
  if (isSuccess(result)) return;
  const { id, url, version } = endpoint;
  const now = ctx.now();
  const isGone = result.kind === "answered" && result.status === 410;
  const since = new Date(now.getTime() - disabledAfter);
  if (!isGone && (endpoint.failingSince === null || endpoint.failingSince > since)) return;
  const why = isGone ? "its receiver answered 410 Gone" : failing(result);
  const sentence = `The webhook endpoint ${new URL(url).origin} (${id}) is disabled: ${why}. Events are kept for 30 days: see shop webhooks enable, and replay.`;
  await commitIfFirst(ctx.store, [
    ctx.store.db
      .update(webhookEndpoints)
      .set({ disabledAt: now, disabledWhy: why })
      .where(
        and(
          eq(webhookEndpoints.id, id),
          eq(webhookEndpoints.version, version),
          isNull(webhookEndpoints.disabledAt),
          isGone ? undefined : lte(webhookEndpoints.failingSince, since),
        ),
      ),
    mustHaveChanged("conflict"),
    ...notice(ctx, `webhook:${id}`, { kind: "trouble", sentence }),
    record(ctx, { actor: theShop, action: "webhook.disabled", subject: id, detail: { why } }),
  ]);
}

function failing(result: SendResult): string {
  const last = result.kind === "answered" ? `status ${result.status}` : `${result.why}: ${result.detail}`;
  return `every try has failed for three days, the last with ${last}`;
}
