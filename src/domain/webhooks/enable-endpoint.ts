import { and, eq, isNotNull } from "drizzle-orm";
import type { By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, mustNotExist } from "@/core/database/commit";
import { retryOnConflict } from "@/core/database/conflict";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { othersTurn } from "@/core/base/others-turn";
import { authorize, expectConfirmed } from "../permissions";
import { webhookDeliveries, webhookEndpoints } from "../schema/webhooks";
import { cancelSome } from "./deliver";
import { isWaiting } from "./outcome";
import { changing, endpointOf, type EndpointView, viewOf } from "./endpoints";

/**
 * Sends to a disabled endpoint again, from the next event on; what waited for it is cancelled first, and can be
 * replayed. Refuses with `webhook_unknown`, or `webhook_enabled` if it is not disabled.
 */
export function enableEndpoint(ctx: Ctx, id: string, by: By): Promise<EndpointView> {
  authorize(by, "webhook.enable");
  return retryOnConflict(async () => {
    const endpoint = await endpointOf(ctx, id);
    expectConfirmed(ctx, by, "webhook.enable");
    if (!endpoint.disabledAt) throw new Refusal("webhook_enabled");
    while ((await cancelSome(ctx, id)) > 0) await othersTurn();
    await commit(ctx.store, [
      mustNotExist(waitingFor(ctx, id), "conflict", {}),
      ...changing(
        ctx,
        endpoint,
        { disabledAt: null, disabledWhy: null, failingSince: null },
        isNotNull(webhookEndpoints.disabledAt),
      ),
      record(ctx, {
        ...by,
        action: "webhook.enabled",
        subject: id,
        detail: { disabled_since: endpoint.disabledAt.toISOString() },
      }),
    ]);
    return viewOf(ctx, await endpointOf(ctx, id));
  });
}

const waitingFor = ({ store: { db } }: Ctx, endpointId: string) =>
  db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.endpointId, endpointId), isWaiting))
    .limit(1);
