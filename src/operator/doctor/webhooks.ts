import { day } from "@/contract/time";
import { utcStamp } from "@/contract/dates";
import { isReported } from "@/domain/notices/report-once";
import type { WebhookEndpoint } from "@/domain/payments/checkout/account-gateway";
import { CheckoutUnreachable } from "@/domain/payments/checkout/checkout";
import { lastWebhook, refusedWebhook, webhookReport } from "@/domain/payments/reconcile/webhook-watch";
import { hasSubscriptions } from "@/domain/payments/subscriptions/unended";
import type { Finding } from "@/domain/system/findings";
import type { OpenShop } from "../command-line";
import { unknown, warning, well, wrong } from "./finding";

/** Whether Stripe's webhooks arrive, and the state of their endpoint at Stripe. */
export async function webhooks({ ctx, config, checkout }: OpenShop): Promise<Finding[]> {
  if (!config.stripe) return [];
  const url = new URL("/api/stripe/webhook", config.publicUrl).href;
  const taken = await lastWebhook(ctx);
  const refused = await refusal({ ctx, secret: config.stripe.webhookSecret, taken });
  const missed = refused.length === 0 && (await isReported(ctx, webhookReport));
  const watching = { subscriptions: await hasSubscriptions(ctx) };
  const endpoint = await (await checkout()).webhookEndpoint(url, watching).catch((error: unknown) => {
    // another check says so
    if (error instanceof CheckoutUnreachable) return null;
    throw error;
  });
  return [
    ...refused,
    ...(missed ? [wrong("webhooks", `They don't arrive: check the endpoint in Stripe's dashboard.`)] : []),
    ...(endpoint ? endpointFindings(endpoint, { url, isVital: config.production && taken === null }) : []),
  ];
}

type Refused = { ctx: OpenShop["ctx"]; secret: string; taken: Date | null };

/** A webhook that was refused since the last accepted one; a stranger may have sent it, if others arrive. */
async function refusal({ ctx, secret, taken }: Refused): Promise<Finding[]> {
  const refused = await refusedWebhook(ctx, secret);
  if (!refused) return [];
  const when = `One was refused at ${utcStamp(refused.at)}, and none was accepted since`;
  if (!refused.isOwnSecret) {
    const sentence = `${when}. The shop had another STRIPE_WEBHOOK_SECRET then: if you have replaced it, restart the shop.`;
    return [warning("webhooks", sentence)];
  }
  const isAlone = taken === null || taken.getTime() < refused.at.getTime() - day;
  const sentence = `${when}: its signature does not match STRIPE_WEBHOOK_SECRET, which is likely another endpoint's.`;
  if (isAlone || (await isReported(ctx, webhookReport))) return [wrong("webhooks", sentence)];
  return [warning("webhooks", `${sentence} Or a stranger sent it.`)];
}

function endpointFindings(
  endpoint: WebhookEndpoint | "unread" | "missing",
  { url, isVital }: { url: string; isVital: boolean },
): Finding[] {
  if (endpoint === "unread") {
    const sentence = `Whether Stripe sends them to ${url} can't be told: the key lacks “Webhook Endpoints: Read” (rak_webhook_read).`;
    return [unknown("webhooks", sentence)];
  }
  if (endpoint === "missing") {
    return [(isVital ? wrong : warning)("webhooks", `Stripe has no endpoint with the address ${url}.`)];
  }
  if (!endpoint.enabled) return [wrong("webhooks", `Stripe's endpoint ${url} is disabled: enable it there.`)];
  const { lacks, count } = endpoint;
  const unsent = `Stripe's endpoint does not send ${lacks.join(", ")}: add them there.`;
  const several = `Stripe has ${count} endpoints with the address ${url}, each with a secret of its own: keep one.`;
  return [
    ...(lacks.length > 0 ? [warning("webhooks", unsent)] : []),
    ...(count > 1 ? [warning("webhooks", several)] : []),
    ...(lacks.length === 0 && count === 1 ? [well("webhooks", `Stripe sends them to ${url}.`)] : []),
  ];
}
