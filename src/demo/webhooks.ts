import { operator } from "@/core/base/actor";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { factOf, keepFact } from "@/core/database/key-values";
import { addEndpoint, changeEndpoint, rotateSecret } from "@/domain/webhooks/change-endpoint";
import { listEndpoints } from "@/domain/webhooks/endpoints";
import { runAction } from "./simulators";

/** The id of the demo's endpoint. */
const endpointFact = "demo_webhooks";

const allowPrivate = "loopback";

/**
 * Adds the simulated receiver as an endpoint, once, and updates its URL if it listens elsewhere at a later start. Does
 * not add it again after its operator removed it. After an interruption, does the rest.
 */
export async function connectReceiver(ctx: Ctx, receiver: URL): Promise<void> {
  const url = new URL("/webhooks", receiver).href;
  const all = await listEndpoints(ctx, operator);
  const known = await factOf(ctx, endpointFact);
  if (known === null) return add(ctx, { receiver, url, half: all.find((one) => one.url === url)?.id });
  const endpoint = all.find(({ id }) => id === known);
  if (!endpoint || endpoint.url === url) return;
  await changeEndpoint(ctx, { id: known, url, allowPrivate }, by("the demo's receiver has another port"));
}

/** `half`: the endpoint of an interrupted start, whose secret was lost. */
async function add(ctx: Ctx, { receiver, url, half }: { receiver: URL; url: string; half?: string }) {
  const first = by("the demo's first start");
  const { endpoint, secret } = half
    ? await rotateSecret(ctx, { id: half, atOnce: true }, first)
    : await addEndpoint(ctx, { url, types: null, allowPrivate }, first);
  await runAction(receiver, "secret", { secret });
  await commit(ctx.store, [keepFact(ctx, endpointFact, endpoint.id)]);
}

const by = (reason: string) => ({ actor: operator, reason });
