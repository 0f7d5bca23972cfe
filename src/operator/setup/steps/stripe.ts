import { readBrand } from "@/brand/read";
import { ConfigError, isLiveKey, noWebhookSecret } from "@/core/settings/config";
import type { Ctx } from "@/core/database/context";
import { factOf, shopIdFact } from "@/core/database/key-values";
import { countOfOtherMode } from "@/domain/licences/entitlement/entitlement";
import { beginSelling } from "@/domain/offers/first-offer";
import { endpointSecrets, keepAccess, stripeAccountFact } from "@/domain/payments/reconcile/stripe-endpoints";
import { runningProcesses } from "@/domain/system/system";
import type { StripeAccess } from "@/gateways/stripe/client";
import { isForSubscriptions } from "@/gateways/stripe/permissions";
import { deleteOldEndpoints, makeWebhookEndpoint, type StripeTried, tryStripe } from "../stripe";
import { proved, type Tried, unproved, untilRight, wrong } from "../ui/ui";
import { byOperator } from "../../terminal/command-line";
import { stripeWebhookUrl } from "../../terminal/stripe-errors";
import { counted } from "../../terminal/table";
import { withDatabase } from "./open";
import { brandFolder, productOf } from "./shop";
import { askFor, given, hasAll, save, type Setup } from "./state";

export const hasStripe = (setup: Setup): boolean => hasAll(setup, "stripe") && knownSecret(setup) !== "";

const knownSecret = (setup: Setup): string => {
  const secret = given(setup, "STRIPE_WEBHOOK_SECRET");
  return secret === noWebhookSecret ? "" : secret;
};

type Keys = { STRIPE_SECRET_KEY: string; STRIPE_PUBLISHABLE_KEY: string };
/** `account`: null if it can't be told. */
type Proved = { keys: Keys; account: string | null };

/** Stripe's keys with their permissions, and the endpoint that reports to this shop. */
export async function stripeStep(setup: Setup): Promise<void> {
  const { ui } = setup;
  const before = given(setup, "STRIPE_SECRET_KEY");
  let keys: Keys = {
    STRIPE_SECRET_KEY: before,
    STRIPE_PUBLISHABLE_KEY: given(setup, "STRIPE_PUBLISHABLE_KEY"),
  };
  const proved = await untilRight(ui, async () => {
    keys = await askKeys(setup, keys);
    return proveKeys(setup, keys);
  });
  const shop = await withDatabase(setup, readShop(setup), keys.STRIPE_SECRET_KEY);
  const isSameMode = before !== "" && isLiveKey(before) === isLiveKey(keys.STRIPE_SECRET_KEY);
  const isOther = isOtherAccount(shop, proved);
  if (isOther) {
    ui.note(
      `These keys are of another Stripe account, ${proved.account}, than the shop's so far, ${shop.account}: payments there can't be refunded or renewed with them.`,
    );
  }
  if (before !== "" && !isSameMode) await expectMeant(setup, keys);
  else if (isOther) await expectProduct(setup, "change the account");
  await agreeEndpoint(setup, { proved, shop, known: isSameMode && !isOther ? knownSecret(setup) : "" });
}

type Shop = { shopId: string | null; account: string | null; secrets: string[]; isRunning: boolean };

const readShop =
  (setup: Setup) =>
  async (ctx: Ctx): Promise<Shop> => {
    await beginSelling(ctx, readBrand(brandFolder(setup)));
    const running = await runningProcesses(ctx);
    return {
      shopId: await factOf(ctx, shopIdFact),
      account: await factOf(ctx, stripeAccountFact),
      secrets: await endpointSecrets(ctx),
      isRunning: running.length > 0,
    };
  };

const isOtherAccount = (shop: Shop, { account }: Proved) =>
  shop.account !== null && account !== null && shop.account !== account;

async function askKeys(setup: Setup, present: Keys): Promise<Keys> {
  const secret = await askFor(setup, "STRIPE_SECRET_KEY", {
    asks: "Stripe's secret or restricted key (sk_… or rk_…), live or of test mode",
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

async function proveKeys(setup: Setup, keys: Keys): Promise<Tried<Proved>> {
  const { ui } = setup;
  const currency = given(setup, "CURRENCY") || "usd";
  const tried = await ui.work("Asking Stripe", () =>
    tryStripe({
      ...accessWith(setup, keys),
      publishableKey: keys.STRIPE_PUBLISHABLE_KEY,
      currency,
    }),
  );
  if (tried.refused !== null) return wrong(tried.refused);
  if (tried.takesCurrency === false) {
    return wrong(
      `This Stripe account takes no ${currency}: use another account's keys, or run set-up's first step again.`,
    );
  }
  const refused = tried.permissions.filter(({ granted }) => granted === false);
  const optional = refused.filter(isForSubscriptions).map(({ label }) => label);
  if (optional.length > 0)
    ui.note(`Only if you sell subscriptions, grant the key too: ${optional.join(", ")}.`);
  const lacking = refused.filter((one) => !isForSubscriptions(one));
  if (lacking.length > 0) {
    const each = lacking.map(({ label, without }) => `${label}. Without it, ${without}.`).join("\n");
    const sentence = `The key lacks ${counted(lacking.length, "permission")}:\n${each}`;
    const isMeant = await ui.confirm({
      name: "TAKE_KEY",
      asks: `${sentence}\nTake it all the same?`,
      proposal: false,
    });
    if (!isMeant) return wrong(`${sentence}\nGrant them in Stripe's dashboard.`);
  }
  const value = { keys, account: tried.account.id };
  return tried.untested === null ? proved(accountInWords(tried), value) : unproved(tried.untested, value);
}

function accountInWords({ mode, account, permissions }: StripeTried): string {
  const name = account.name ?? account.id;
  const named = name === null ? "" : ` of ${name}`;
  const charges =
    account.canCharge === false ? " The account can't take money yet: finish it in the dashboard." : "";
  const granted = permissions.filter(({ granted }) => granted).length;
  return `The keys${named} are of ${mode} mode, with ${granted} of ${permissions.length} permissions.${charges}`;
}

/** From test mode to live mode, or back: says what becomes of what was sold, and wants the product's name typed. */
async function expectMeant(setup: Setup, keys: Keys): Promise<void> {
  const [from, to] = isLiveKey(keys.STRIPE_SECRET_KEY) ? ["test", "live"] : ["live", "test"];
  const sold = await withDatabase(setup, countOfOtherMode, keys.STRIPE_SECRET_KEY);
  setup.ui.note(
    `${to === "live" ? "Going live: from now on the shop takes real money" : "Back to test mode: the shop takes no real money"}. ${counted(sold, "licence")} of ${from} payments ${sold === 1 ? "stops" : "stop"} working; what you issued yourself stays valid.`,
  );
  await expectProduct(setup, `change to ${to} mode`);
}

async function expectProduct(setup: Setup, what: string): Promise<void> {
  const product = productOf(setup);
  await setup.ui.ask({
    name: "GO_LIVE",
    asks: `Type the product's name, ${product}, to ${what}`,
    fault: (typed) => (typed === product ? null : `It must be ${product}.`),
  });
}

type Wanted = { proved: Proved; shop: Shop; known: string };

/** Writes the endpoint's secret before the former endpoint is deleted, so that an interruption loses no event. */
async function agreeEndpoint(
  setup: Setup,
  { proved: { keys, account }, shop, known }: Wanted,
): Promise<void> {
  const { ui } = setup;
  const url = stripeWebhookUrl({ publicUrl: new URL(given(setup, "PUBLIC_URL")) });
  const { shopId, isRunning } = shop;
  if (shopId === null) throw new ConfigError("The database has no shop's id: restore it from a backup.");
  const stripe = accessWith(setup, keys);
  const keep = async (secret: string, made?: { id: string; secret: string }) => {
    const access = { made: made ?? null, account };
    const by = byOperator("shop setup");
    await withDatabase(setup, (ctx) => keepAccess(ctx, access, by), keys.STRIPE_SECRET_KEY);
    save(setup, { ...keys, STRIPE_WEBHOOK_SECRET: secret });
    if (isRunning) ui.note("The shop is running: restart it, so that it reads these settings.");
  };
  const knownSecrets = [...(known === "" ? [] : [known]), ...shop.secrets];
  const agree = (deletesFirst?: string) =>
    ui.work("Agreeing on Stripe's webhook endpoint", () =>
      makeWebhookEndpoint({ stripe, url, shopId, knownSecrets, deletesFirst }),
    );
  const first = await agree();
  const former = first.kind === "full" ? first.former : null;
  const makesRoom = former !== null && (await mayMakeRoom(setup, { ...former, isRunning }));
  const made = makesRoom ? await agree(former.id) : first;
  if (made.kind === "untested" || made.kind === "full") {
    const left = makesRoom && former?.isKnown ? "" : known;
    await keep(left || noWebhookSecret);
    const reason = made.kind === "full" ? atLimit : made.reason;
    return ui.untested(left === "" ? `${reason} Until then the shop takes no webhook.` : reason);
  }
  if (made.kind === "by hand") {
    ui.note(
      `${made.reason}\nMake it in Stripe's dashboard (Developers, Webhooks):`,
      `address: ${made.url}\nAPI version: ${made.apiVersion}\nevents: ${made.types.join(", ")}`,
    );
    await keep(known || noWebhookSecret);
    const pasted = await askFor(setup, "STRIPE_WEBHOOK_SECRET", {
      asks: "The endpoint's signing secret (whsec_…)",
      proposal: known,
      secret: true,
      optional: "to continue without it",
      fault: (typed) =>
        /^whsec_[\x21-\x7e]{20,}$/.test(typed)
          ? null
          : "It must be whsec_ and at least 20 characters: copy it from the endpoint's page.",
    });
    if (pasted === "") return ui.untested("Without an endpoint the shop takes no webhook.");
    await keep(pasted);
    return ui.untested("Whether Stripe reaches this shop shows at the first payment.");
  }
  await keep(made.secret, made.kind === "kept" ? undefined : made);
  ui.proved(`Stripe's endpoint ${made.id} reports to ${url}.`);
  if (made.kind !== "replaced unknown" || !isRunning || makesRoom || (await mayReplace(setup))) {
    const { deleted, reason } = await deleteOldEndpoints({ stripe, url, shopId, kept: made.id });
    if (reason !== null) ui.untested(reason);
    if (deleted.length > 0) ui.proved(`It takes the place of ${deleted.join(", ")}.`);
  }
  if (made.others.length > 0) {
    ui.note(
      `Not made by this shop, and left alone: ${made.others.join(", ")} report to this address too. Delete in Stripe's dashboard what you made for this shop by hand.`,
    );
  }
}

const atLimit =
  "Stripe allows 16 endpoints: delete an unused one in Stripe's dashboard (Developers, Webhooks), and run this again.";

/** Whether a former endpoint may be deleted before the new one is made. */
async function mayMakeRoom(
  setup: Setup,
  { id, isKnown, isRunning }: { id: string; isKnown: boolean; isRunning: boolean },
): Promise<boolean> {
  setup.ui.note(
    `Stripe allows 16 endpoints, so this shop's former one, ${id}, must be deleted before the new one is made. The shop finds on its own what happens in between.`,
  );
  return isKnown || !isRunning || mayReplace(setup);
}

const mayReplace = ({ ui }: Setup): Promise<boolean> =>
  ui.confirm({
    name: "REPLACE_ENDPOINT",
    asks: "The shop is running, perhaps on another machine, and the secret of its former endpoint is not known here. Delete the former endpoint?",
    proposal: false,
  });
