import { notInArray } from "drizzle-orm";
import type { By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { factOf, keepFact, shopIdFact } from "@/core/database/key-values";
import { expectNoCopy } from "@/core/database/restored-copy";
import { authorize } from "../../permissions";
import { stripeEndpoints } from "../../schema/stripe-endpoints";
import type { AccountGateway } from "../port/account-gateway";
import { hasSubscriptions } from "../subscriptions/due-checks";

export const stripeSecretContext = (endpoint: string) => `stripe-endpoint:${endpoint}`;

/** The secrets of the endpoints that the shop made, which are accepted as well as the setting's. */
export async function endpointSecrets({ store, secrets }: Ctx): Promise<string[]> {
  const rows = await store.db.select().from(stripeEndpoints);
  return rows.map(({ id, secretSealed }) => secrets.open(secretSealed, stripeSecretContext(id)));
}

/**
 * Makes a further endpoint at Stripe, of the shop's version and with the events that it follows, and accepts its secret
 * beside those before, of which those of endpoints that are gone are forgotten. Only this answer shows the secret.
 */
export async function makeEndpoint(
  ctx: Ctx,
  gateway: AccountGateway,
  url: string,
  by: By,
): Promise<MadeEndpoint> {
  authorize(by, "stripe.make_endpoint");
  await expectNoCopy(ctx);
  const watching = { subscriptions: await hasSubscriptions(ctx) };
  const made = await gateway.newEndpoint(url, watching, (await factOf(ctx, shopIdFact)) ?? "");
  const listed = await gateway.webhookEndpoints(url, watching);
  const { db } = ctx.store;
  await commit(ctx.store, [
    ...acceptance(ctx, made, by),
    ...(listed === "unread"
      ? []
      : [
          db.delete(stripeEndpoints).where(
            notInArray(
              stripeEndpoints.id,
              [made, ...listed].map((one) => one.id),
            ),
          ),
        ]),
  ]);
  return made;
}

type MadeEndpoint = { id: string; secret: string };

type Access = { made: MadeEndpoint | null; account: string | null };

/** Keeps what set-up agreed with Stripe: the account's id, and the endpoint that it made, whose secret a running shop accepts. */
export async function keepAccess(ctx: Ctx, { made, account }: Access, by: By): Promise<void> {
  authorize(by, "stripe.make_endpoint");
  await expectNoCopy(ctx);
  await commit(ctx.store, [
    ...(made === null ? [] : acceptance(ctx, made, by)),
    ...(account === null ? [] : [keepFact(ctx, stripeAccountFact, account)]),
  ]);
}

/** The name of the fact that holds the id of the shop's account at Stripe. */
export const stripeAccountFact = "stripe_account";

/** The writes by which a running shop accepts the endpoint's secret beside those that it has. */
const acceptance = (ctx: Ctx, { id, secret }: MadeEndpoint, by: By): Write[] => [
  ctx.store.db.insert(stripeEndpoints).values({
    id,
    secretSealed: ctx.secrets.seal(secret, stripeSecretContext(id)),
    createdAt: ctx.now(),
  }),
  record(ctx, {
    ...by,
    action: "stripe.endpoint_made",
    subject: "STRIPE_WEBHOOK_SECRET",
    detail: { endpoint: id },
  }),
];
