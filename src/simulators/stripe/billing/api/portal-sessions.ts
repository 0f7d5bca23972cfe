import { found, invalid } from "../../api/errors";
import { type Form, onlyKnown, part, required, text } from "../../api/form";
import type { Call } from "../../api/lists";
import { type World, seconds } from "../../world";
import { customerOf } from "../customers";
import type { PortalConfiguration, PortalSession, Subscription } from "../rows";
import { isOver } from "../subscription";
import { configurationOf } from "./portal";

/** https://docs.stripe.com/api/customer_portal/sessions/create */
export function createPortalSession({ world, params }: Call): PortalSession {
  onlyKnown(params, ["configuration", "customer", "flow_data", "return_url"]);
  const id = required(params, "customer");
  const customer = found(customerOf(world, id), "customer", id, "customer");
  const configuration = configurationIn(world, params);
  const flow = flowIn(world, customer.id, configuration, part(params, "flow_data"));
  return newPortalSession(world, customer.id, configuration, {
    flow,
    return_url: text(params, "return_url") ?? null,
  });
}

/** A session whose address lets its holder into the portal. */
export function newPortalSession(
  world: World,
  customer: string,
  { id: configuration }: PortalConfiguration,
  more: Pick<PortalSession, "flow" | "return_url">,
): PortalSession {
  return world.ledger.put("portalSessions", {
    id: world.ids.next("bps_1"),
    object: "billing_portal.session",
    configuration,
    created: seconds(world),
    customer,
    customer_account: null,
    livemode: world.live,
    locale: null,
    on_behalf_of: null,
    url: `${world.url}/p/session/${world.ids.next("test_", 40)}`,
    ...more,
  });
}

function configurationIn(world: World, params: Form): PortalConfiguration {
  const id = text(params, "configuration");
  const made = id === undefined ? undefined : configurationOf(world, id);
  const used =
    made ??
    world.ledger.portalConfigurations.all().find((one) => one.is_default && one.livemode === world.live);
  if (!used)
    throw invalid(
      "You can’t create a portal session in test mode until you save your customer portal settings in test mode at https://dashboard.stripe.com/test/settings/billing/portal.",
    );
  if (!used.active) throw invalid("This configuration is not active.", { param: "configuration" });
  return used;
}

type Flow = NonNullable<PortalSession["flow"]>;

const types = ["payment_method_update", "subscription_cancel", "subscription_update"] as const;

function flowIn(
  world: World,
  customer: string,
  { features }: PortalConfiguration,
  data: Form | undefined,
): Flow | null {
  if (data === undefined) return null;
  const asked = required(data, "type");
  const type = types.find((one) => one === asked);
  if (type === undefined)
    throw invalid(`Invalid flow_data[type]: must be one of ${types.join(", ")}`, {
      param: "flow_data[type]",
    });
  if (!features[type].enabled)
    throw invalid(`The feature \`${type}\` is disabled in the portal configuration.`, {
      param: "flow_data[type]",
    });
  const flow: Flow = {
    after_completion: completionIn(part(data, "after_completion") ?? {}),
    customer_update: null,
    subscription_cancel: null,
    subscription_pause: null,
    subscription_update: null,
    subscription_update_confirm: null,
    type,
  };
  if (type === "payment_method_update") return flow;
  const given = part(data, type) ?? {};
  const subscription = subscriptionIn(world, customer, given, type);
  if (type === "subscription_cancel") {
    if (subscription.cancel_at !== null || subscription.cancel_at_period_end)
      throw invalid("This subscription is already set to be canceled.", { param: `flow_data[${type}]` });
    return { ...flow, subscription_cancel: { retention: null, subscription: subscription.id } };
  }
  return { ...flow, subscription_update: { subscription: subscription.id } };
}

function subscriptionIn(world: World, customer: string, given: Form, type: string): Subscription {
  const id = required(given, "subscription");
  const param = `flow_data[${type}][subscription]`;
  const subscription = found(world.ledger.subscriptions.get(id), "subscription", id, param);
  if (subscription.customer !== customer)
    throw invalid(`The subscription \`${id}\` belongs to another customer.`, { param });
  if (isOver(subscription)) throw invalid(`The subscription \`${id}\` is canceled.`, { param });
  return subscription;
}

function completionIn(params: Form): Flow["after_completion"] {
  const type = text(params, "type") ?? "portal_homepage";
  const redirect = part(params, "redirect");
  if (type !== "portal_homepage" && type !== "redirect")
    throw invalid("Invalid flow_data[after_completion][type].", {
      param: "flow_data[after_completion][type]",
    });
  return {
    hosted_confirmation: null,
    redirect: type === "redirect" ? { return_url: required(redirect ?? {}, "return_url") } : null,
    type,
  };
}
