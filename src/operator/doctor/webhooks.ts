import { day } from "@/contract/vocabulary/time";
import { utcStamp } from "@/contract/vocabulary/dates";
import { refusalIn } from "@/core/base/refusal";
import { noWebhookSecret } from "@/core/settings/config";
import { isReported } from "@/domain/notices/report-once";
import type { WatchedEvents, WebhookEndpoint } from "@/domain/payments/port/account-gateway";
import {
  CheckoutForbidden,
  type CheckoutGateway,
  CheckoutRefused,
  CheckoutUnreachable,
} from "@/domain/payments/port/stripe";
import { lastWebhook, refusedWebhook, webhookReport } from "@/domain/payments/reconcile/webhook-watch";
import { endpointSecrets } from "@/domain/payments/reconcile/stripe-endpoints";
import { hasSubscriptions } from "@/domain/payments/subscriptions/due-checks";
import type { Finding } from "@/domain/system/system";
import type { OpenShop } from "../terminal/command-line";
import { cannotRead, stripeWebhookUrl } from "../terminal/stripe-errors";
import { unknown, warning, well, wrong } from "./finding";

/** Whether Stripe's webhooks arrive, and the state of their endpoint at Stripe. */
export async function webhooks({ ctx, config, checkout }: OpenShop): Promise<Finding[]> {
  if (!config.stripe) return [];
  const url = stripeWebhookUrl(config);
  const taken = await lastWebhook(ctx);
  const refused = await refusal({ ctx, secret: config.stripe.webhookSecret, taken });
  const missed = refused.length === 0 && (await isReported(ctx, webhookReport));
  const watching = { subscriptions: await hasSubscriptions(ctx) };
  const isVital = config.production && taken === null;
  const found = await endpointFindings(await checkout(), { url, watching, isVital }).catch(
    (error: unknown) => {
      // another check says so
      if (error instanceof CheckoutUnreachable) return [];
      throw error;
    },
  );
  const isUnset =
    config.stripe.webhookSecret === noWebhookSecret && (await endpointSecrets(ctx)).length === 0;
  return [
    ...(isUnset ? [wrong("webhooks", unset)] : []),
    ...refused,
    ...(missed ? [wrong("webhooks", `They don't arrive: check the endpoint in Stripe's dashboard.`)] : []),
    ...found,
  ];
}

const unset = `STRIPE_WEBHOOK_SECRET is ${noWebhookSecret}, so the shop takes no webhook: run shop setup, and choose Stripe again.`;

type RefusedSecret = { ctx: OpenShop["ctx"]; secret: string; taken: Date | null };

/** A webhook that was refused since the last accepted one; a stranger may have sent it, if others arrive. */
async function refusal({ ctx, secret, taken }: RefusedSecret): Promise<Finding[]> {
  const refused = await refusedWebhook(ctx, secret);
  if (!refused) return [];
  const when = `One was refused at ${utcStamp(refused.at)}, and none was accepted since`;
  if (!refused.isOwnSecret) {
    const sentence = `${when}. The shop had another STRIPE_WEBHOOK_SECRET then: restart it if it still has, and wait for Stripe's next webhook.`;
    return [warning("webhooks", sentence)];
  }
  const isAlone = taken === null || taken.getTime() < refused.at.getTime() - day;
  const sentence = `${when}: its signature does not match STRIPE_WEBHOOK_SECRET, which is likely another endpoint's.`;
  if (isAlone || (await isReported(ctx, webhookReport))) return [wrong("webhooks", sentence)];
  return [warning("webhooks", `${sentence} Or a stranger sent it.`)];
}

async function endpointFindings(
  gateway: CheckoutGateway,
  { url, watching, isVital }: { url: string; watching: WatchedEvents; isVital: boolean },
): Promise<Finding[]> {
  const all = await gateway.webhookEndpoints(url, watching);
  if (all === "unread") return [unknown("webhooks", cannotRead(url))];
  if (all.length === 0) {
    return [(isVital ? wrong : warning)("webhooks", `Stripe has no endpoint with the address ${url}.`)];
  }
  const enabled = all.filter((one) => one.enabled);
  const [first] = enabled;
  if (!first) return [wrong("webhooks", `Stripe's endpoint ${url} is disabled: enable it there.`)];
  const lacks = first.lacks.filter((event) => enabled.every((one) => one.lacks.includes(event)));
  const others = enabled.filter(({ version, isOwnVersion }) => version !== null && !isOwnVersion);
  const several = `Stripe has ${enabled.length} endpoints with the address ${url}, each with a secret of its own: keep one.`;
  const found = [
    ...(lacks.length > 0 ? [await mend(gateway, { first, lacks, watching })] : []),
    ...others.map(({ version }) => warning("webhooks", otherVersion(version))),
    ...(enabled.length > 1 ? [warning("webhooks", several)] : []),
  ];
  return found.length > 0 ? found : [well("webhooks", `Stripe sends them to ${url}.`)];
}

type MendOptions = { first: WebhookEndpoint; lacks: string[]; watching: WatchedEvents };

/** Adds the missing events at Stripe, if the key may. */
async function mend(gateway: CheckoutGateway, { first, lacks, watching }: MendOptions): Promise<Finding> {
  const events = lacks.join(", ");
  try {
    await gateway.addEvents(first.id, watching);
    return well("webhooks", `Stripe's endpoint did not send ${events}: it does now.`);
  } catch (error) {
    const isRefused = error instanceof CheckoutForbidden || error instanceof CheckoutRefused;
    if (!isRefused && refusalIn(error) === null) throw error;
    const sentence = `Stripe's endpoint does not send ${events}: add them there, or grant “Webhook Endpoints: Write” (rak_webhook_write) to the key, and run shop doctor again.`;
    return warning("webhooks", sentence);
  }
}

const otherVersion = (version: string | null) =>
  `Stripe's endpoint sends events of version ${version}, which is not the shop's. It asks Stripe again about each, so nothing is lost; shop stripe endpoint --new makes one of its own version.`;
