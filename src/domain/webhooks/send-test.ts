import type { By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { expectNoCopy } from "@/core/database/restored-copy";
import { authorize, expectConfirmed } from "../permissions";
import { type Endpoint, endpointOf } from "./endpoints";

/**
 * Has `webhook.test` sent to an endpoint, whatever it listens to: the entry becomes that event. Refuses with
 * `webhook_unknown`, `webhook_disabled`, and `copy` on a restored copy.
 */
export async function testEndpoint(ctx: Ctx, id: string, by: By): Promise<void> {
  authorize(by, "webhook.test");
  const endpoint = await endpointOf(ctx, id);
  expectConfirmed(ctx, by, "webhook.test");
  await expectNoCopy(ctx);
  expectEnabled(endpoint);
  await commit(ctx.store, [record(ctx, { ...by, action: "webhook.tested", subject: id })]);
}

export function expectEnabled({ disabledAt }: Pick<Endpoint, "disabledAt">): void {
  if (disabledAt) throw new Refusal("webhook_disabled");
}
