import { sql } from "drizzle-orm";
import { day } from "@/contract/vocabulary/time";
import type { By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { expectNoCopy } from "@/core/database/restored-copy";
import { authorize, expectConfirmed } from "../permissions";
import { webhookEndpoints } from "../schema/webhooks";
import { changing, endpointOf, type EndpointView, viewOf } from "./endpoints";
import { webhookSecretContext } from "./sealing";
import { newSecret } from "./signature";

/** For how long the former secret signs beside the new one. */
const bothMilliseconds = day;

/**
 * Gives an endpoint a new secret, which is in this answer and never shown again. The former one signs beside it for 24
 * hours, or with `atOnce` no longer. The one before that ends now, so that there are never more than two: `ended` is
 * until when it would have signed, null if there was none. Refuses with `webhook_unknown`, and with `conflict` if
 * somebody changed the endpoint meanwhile.
 */
export async function rotateSecret(
  ctx: Ctx,
  { id, atOnce }: { id: string; atOnce: boolean },
  by: By,
): Promise<{ endpoint: EndpointView; secret: string; ended: Date | null }> {
  authorize(by, "webhook.rotate");
  const endpoint = await endpointOf(ctx, id);
  expectConfirmed(ctx, by, "webhook.rotate");
  await expectNoCopy(ctx);
  const secret = newSecret();
  const until = atOnce ? null : new Date(ctx.now().getTime() + bothMilliseconds);
  await commit(ctx.store, [
    ...changing(ctx, endpoint, {
      secretSealed: ctx.secrets.seal(secret, webhookSecretContext(id)),
      formerSecretSealed: atOnce ? null : sql`${webhookEndpoints.secretSealed}`,
      formerSecretUntil: until,
    }),
    record(ctx, {
      ...by,
      action: "webhook.rotated",
      subject: id,
      detail: { former_until: until && until.toISOString() },
    }),
  ]);
  const ended = viewOf(ctx, endpoint).formerSecretUntil;
  return { endpoint: viewOf(ctx, await endpointOf(ctx, id)), secret, ended };
}
