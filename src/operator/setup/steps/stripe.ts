import { ConfigError, isLiveKey } from "@/core/settings/config";
import { factOf, shopIdFact } from "@/core/database/key-values";
import { countOfOtherMode } from "@/domain/licences/entitlement/entitlement";
import type { StripeAccess } from "@/gateways/stripe/client";
import { deleteOldEndpoints, makeWebhookEndpoint, type StripeTried, tryStripe } from "../stripe";
import { proved, type Tried, unproved, untilRight, wrong } from "../ui/ui";
import { counted } from "../../terminal/table";
import { withDatabase } from "./open";
import { productOf } from "./shop";
import { askFor, given, save, type Setup } from "./state";

const names = ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"] as const;

export const hasStripe = (setup: Setup): boolean => names.every((name) => given(setup, name) !== "");

type Keys = { STRIPE_SECRET_KEY: string; STRIPE_PUBLISHABLE_KEY: string };

/** Stripe's keys with their permissions, and the endpoint that reports to this shop. */
export async function stripeStep(setup: Setup): Promise<void> {
  const { ui } = setup;
  const before = given(setup, "STRIPE_SECRET_KEY");
  let keys: Keys = {
    STRIPE_SECRET_KEY: before,
    STRIPE_PUBLISHABLE_KEY: given(setup, "STRIPE_PUBLISHABLE_KEY"),
  };
  await untilRight(ui, async () => {
    keys = await askKeys(setup, keys);
    return proveKeys(setup, keys);
  });
  const isSameMode = before !== "" && isLiveKey(before) === isLiveKey(keys.STRIPE_SECRET_KEY);
  if (before !== "" && !isSameMode) await expectMeant(setup, keys);
  await agreeEndpoint(setup, { keys, known: isSameMode ? given(setup, "STRIPE_WEBHOOK_SECRET") : "" });
}

async function askKeys(setup: Setup, present: Keys): Promise<Keys> {
  const secret = await askFor(setup, "STRIPE_SECRET_KEY", {
    asks: "Stripe's secret or restricted key (sk_… or rk_…), at first of test mode",
    proposal: present.STRIPE_SECRET_KEY,
    secret: true,
  });
  const publishable = await askFor(setup, "STRIPE_PUBLISHABLE_KEY", {
    asks: "Its publishable key (pk_…)",
    proposal: present.STRIPE_PUBLISHABLE_KEY,
  });
  return { STRIPE_SECRET_KEY: secret, STRIPE_PUBLISHABLE_KEY: publishable };
}

function accessWith(setup: Setup, keys: Keys): StripeAccess {
  const apiUrl = given(setup, "STRIPE_API_URL");
  return { secretKey: keys.STRIPE_SECRET_KEY, apiUrl: apiUrl === "" ? null : new URL(apiUrl) };
}

async function proveKeys(setup: Setup, keys: Keys): Promise<Tried<Keys>> {
  const { ui } = setup;
  const currency = given(setup, "CURRENCY") || "usd";
  const tried = await ui.work("Asking Stripe", () =>
    tryStripe({ ...accessWith(setup, keys), publishableKey: keys.STRIPE_PUBLISHABLE_KEY, currency }),
  );
  if (tried.refused !== null) return wrong(tried.refused);
  if (tried.currency === "refused") {
    return wrong(
      `This Stripe account takes no ${currency}: use another account's keys, or run set-up's first step again.`,
    );
  }
  const lacking = tried.permissions.filter(({ state }) => state === "refused");
  if (lacking.length > 0) {
    const each = lacking.map((one) => `${one.name}. ${one.for}`).join("\n");
    const sentence = `The key lacks ${counted(lacking.length, "permission")}:\n${each}`;
    const isMeant = await ui.confirm({
      name: "TAKE_KEY",
      asks: `${sentence}\nTake it all the same?`,
      proposal: false,
    });
    if (!isMeant) return wrong(`${sentence}\nGrant them in Stripe's dashboard.`);
  }
  return tried.untested === null ? proved(accountInWords(tried), keys) : unproved(tried.untested, keys);
}

function accountInWords({ mode, account, permissions }: StripeTried): string {
  const name = account.name ?? account.id;
  const named = name === null ? "" : ` of ${name}`;
  const charges =
    account.canCharge === false ? " The account can't take money yet: finish it in the dashboard." : "";
  const granted = permissions.filter(({ state }) => state === "ok").length;
  return `The keys${named} are of ${mode} mode, with ${granted} of ${permissions.length} permissions.${charges}`;
}

/** From test mode to live mode, or back: says what becomes of what was sold, and wants the product's name typed. */
async function expectMeant(setup: Setup, keys: Keys): Promise<void> {
  const [from, to] = isLiveKey(keys.STRIPE_SECRET_KEY) ? ["test", "live"] : ["live", "test"];
  const sold = await withDatabase(setup, (ctx) =>
    countOfOtherMode({ ...ctx, livemode: isLiveKey(keys.STRIPE_SECRET_KEY) }),
  );
  const { ui } = setup;
  const product = productOf(setup);
  ui.note(
    `${to === "live" ? "Going live: from now on the shop takes real money" : "Back to test mode: the shop takes no real money"}. ${counted(sold, "licence")} of ${from} payments ${sold === 1 ? "stops" : "stop"} working; what you issued yourself stays valid.`,
  );
  await ui.ask({
    name: "GO_LIVE",
    asks: `Type the product's name, ${product}, to change to ${to} mode`,
    fault: (typed) => (typed === product ? null : `It must be ${product}.`),
  });
}

type Wanted = { keys: Keys; known: string };

/** Writes the endpoint's secret before the former endpoint is deleted, so that an interruption loses no event. */
async function agreeEndpoint(setup: Setup, { keys, known }: Wanted): Promise<void> {
  const { ui } = setup;
  const url = new URL("/api/stripe/webhook", given(setup, "PUBLIC_URL")).href;
  const shopId = await withDatabase(setup, (ctx) => factOf(ctx, shopIdFact));
  if (shopId === null) throw new ConfigError("The database has no shop's id: restore it from a backup.");
  const stripe = accessWith(setup, keys);
  const made = await ui.work("Agreeing on Stripe's webhook endpoint", () =>
    makeWebhookEndpoint({ stripe, url, shopId, knownSecret: known === "" ? null : known }),
  );
  if (made.kind === "untested") {
    save(setup, { ...keys, STRIPE_WEBHOOK_SECRET: known || noSecret });
    return ui.untested(made.reason);
  }
  if (made.kind === "by hand") {
    ui.note(
      `${made.reason}\nMake it in Stripe's dashboard (Developers, Webhooks):\n  address: ${made.url}\n  API version: ${made.apiVersion}\n  events: ${made.types.join(", ")}`,
    );
    const pasted = await askFor(setup, "STRIPE_WEBHOOK_SECRET", {
      asks: "The endpoint's signing secret (whsec_…)",
      proposal: known,
      secret: true,
    });
    save(setup, { ...keys, STRIPE_WEBHOOK_SECRET: pasted });
    return ui.untested("Whether Stripe reaches this shop shows at the first payment.");
  }
  save(setup, { ...keys, STRIPE_WEBHOOK_SECRET: made.kind === "kept" ? known : made.secret });
  const { deleted, reason } = await deleteOldEndpoints({ stripe, url, shopId, kept: made.id });
  if (reason !== null) ui.untested(reason);
  const gone = deleted.length > 0 ? `, in place of ${deleted.join(", ")}` : "";
  ui.proved(`Stripe's endpoint ${made.id} reports to ${url}${gone}.`);
  if (made.others.length > 0) {
    ui.note(`Not this shop's, and left alone: ${made.others.join(", ")} report to this address too.`);
  }
}

/** With it the shop starts, and takes no webhook. */
const noSecret = "whsec_none";
