import { found, invalid } from "../../api/errors";
import { boolean, type Form, merged, onlyKnown, part, strings } from "../../api/form";
import { type Call, page } from "../../api/lists";
import { type World, seconds } from "../../world";
import type { PortalConfiguration } from "../rows";
import { featuresIn, noFeatures } from "./portal-features";

const accepted = ["features", "login_page", "metadata"];

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
    created: seconds(world),
    features: featuresIn(world, features, noFeatures()),
    is_default: world.ledger.portalConfigurations.all().every(({ livemode }) => livemode !== world.live),
    livemode: world.live,
    login_page: loginIn(world, id, params, false),
    metadata: strings(params, "metadata"),
    updated: seconds(world),
  };
  return configurationJson(storeConfiguration(world, made));
}

const storeConfiguration = (world: World, made: PortalConfiguration) =>
  world.ledger.put("portalConfigurations", made);

function loginIn(world: World, id: string, params: Form, held: boolean): PortalConfiguration["login_page"] {
  const enabled = boolean(part(params, "login_page") ?? {}, "enabled") ?? held;
  return { enabled, url: enabled ? `${world.url}/p/login/${id}` : null };
}

/** A configuration as Stripe shows it. */
function configurationJson(row: PortalConfiguration) {
  const { products: _products, ...subscription_update } = row.features.subscription_update;
  return { ...row, features: { ...row.features, subscription_update } };
}

export const configurationOf = (world: World, id: string, param = "configuration"): PortalConfiguration =>
  found(world.ledger.portalConfigurations.get(id), "configuration", id, param);

/** https://docs.stripe.com/api/customer_portal/configurations/update */
export function updateConfiguration({ world, id, params }: Call) {
  onlyKnown(params, accepted);
  const held = configurationOf(world, id);
  return configurationJson(
    storeConfiguration(world, {
      ...held,
      features: featuresIn(world, part(params, "features") ?? {}, held.features),
      login_page: loginIn(world, id, params, held.login_page.enabled ?? false),
      metadata: merged(held.metadata ?? {}, params),
      updated: seconds(world),
    }),
  );
}

/** https://docs.stripe.com/api/customer_portal/configurations/list */
export function listConfigurations(call: Call) {
  const active = boolean(call.params, "active");
  return page(call, call.world.ledger.portalConfigurations, {
    noun: "configuration",
    show: configurationJson,
    keep: (one) => one.livemode === call.world.live && (active === undefined || one.active === active),
  });
}
