import { found, invalid } from "../../api/errors";
import { boolean, type Form, merged, onlyKnown, part, strings, text } from "../../api/form";
import { type Call, page } from "../../api/lists";
import { type World, seconds } from "../../world";
import type { PortalConfiguration } from "../rows";
import { featuresIn, noFeatures } from "./portal-features";

const accepted = ["business_profile", "default_return_url", "features", "login_page", "metadata", "name"];

/** https://docs.stripe.com/api/customer_portal/configurations/create */
export function createConfiguration({ world, params }: Call) {
  onlyKnown(params, accepted);
  const features = part(params, "features");
  if (!features)
    throw invalid("Missing required param: features.", { code: "parameter_missing", param: "features" });
  const id = world.ids.next("bpc_1");
  const made: PortalConfiguration = {
    id,
    object: "billing_portal.configuration",
    active: true,
    application: null,
    business_profile: businessIn(params, {}),
    created: seconds(world),
    default_return_url: text(params, "default_return_url") ?? null,
    features: featuresIn(world, features, noFeatures()),
    is_default: world.ledger.portalConfigurations.all().every(({ livemode }) => livemode !== world.live),
    livemode: world.live,
    login_page: loginIn(world, id, params, false),
    metadata: strings(params, "metadata"),
    name: text(params, "name") ?? null,
    updated: seconds(world),
  };
  return seenConfiguration(keep(world, made));
}

const keep = (world: World, made: PortalConfiguration) => world.ledger.put("portalConfigurations", made);

function businessIn(params: Form, held: Partial<PortalConfiguration["business_profile"]>) {
  const given = part(params, "business_profile") ?? {};
  const field = (name: "headline" | "privacy_policy_url" | "terms_of_service_url") =>
    name in given ? (text(given, name) ?? null) : (held[name] ?? null);
  return {
    headline: field("headline"),
    privacy_policy_url: field("privacy_policy_url"),
    terms_of_service_url: field("terms_of_service_url"),
  };
}

function loginIn(world: World, id: string, params: Form, held: boolean): PortalConfiguration["login_page"] {
  const enabled = boolean(part(params, "login_page") ?? {}, "enabled") ?? held;
  return { enabled, url: enabled ? `${world.url}/p/login/${id}` : null };
}

/** A configuration as Stripe shows it. */
function seenConfiguration(row: PortalConfiguration) {
  const { products: _products, ...subscription_update } = row.features.subscription_update;
  return { ...row, features: { ...row.features, subscription_update } };
}

export const configurationOf = (world: World, id: string, param = "configuration"): PortalConfiguration =>
  found(world.ledger.portalConfigurations.get(id), "configuration", id, param);

export const getConfiguration = ({ world, id }: Call) => seenConfiguration(configurationOf(world, id));

/** https://docs.stripe.com/api/customer_portal/configurations/update */
export function updateConfiguration({ world, id, params }: Call) {
  onlyKnown(params, [...accepted, "active"]);
  const held = configurationOf(world, id);
  const active = boolean(params, "active") ?? held.active;
  if (!active && held.is_default)
    throw invalid("You cannot deactivate the default configuration.", { param: "active" });
  return seenConfiguration(
    keep(world, {
      ...held,
      active,
      business_profile: businessIn(params, held.business_profile),
      default_return_url:
        "default_return_url" in params
          ? (text(params, "default_return_url") ?? null)
          : held.default_return_url,
      features: featuresIn(world, part(params, "features") ?? {}, held.features),
      login_page: loginIn(world, id, params, held.login_page.enabled ?? false),
      metadata: merged(held.metadata ?? {}, params),
      name: "name" in params ? (text(params, "name") ?? null) : held.name,
      updated: seconds(world),
    }),
  );
}

/** https://docs.stripe.com/api/customer_portal/configurations/list */
export function listConfigurations(call: Call) {
  const [active, standard] = ["active", "is_default"].map((name) => boolean(call.params, name));
  return page(call, call.world.ledger.portalConfigurations, {
    noun: "configuration",
    show: seenConfiguration,
    keep: (one) =>
      one.livemode === call.world.live &&
      (active === undefined || one.active === active) &&
      (standard === undefined || one.is_default === standard),
  });
}
