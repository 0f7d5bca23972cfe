import { isLiveKey } from "@/core/settings/config";
import type { PermissionSeen } from "@/gateways/stripe/permissions";
import type { StripeAccess } from "@/gateways/stripe/client";
import { type AccountSeen, createStripeSetup, endpointByHand } from "@/gateways/stripe/setup";
import type { AgreedEndpoint, OwnEndpoint } from "@/gateways/stripe/webhook-endpoints";
import {
  CheckoutFailing,
  CheckoutForbidden,
  CheckoutKeyRefused,
  CheckoutRefused,
  CheckoutUnreachable,
} from "@/domain/payments/port/stripe";
import { inSeconds } from "./tried";

export type StripeTried = {
  mode: "test" | "live";
  account: AccountSeen;
  permissions: PermissionSeen[];
  /** Null where that can't be told. */
  takesCurrency: boolean | null;
  /** Why these keys can't be used, one sentence; null if they can. */
  refused: string | null;
  /** Why something was not tried, one sentence; null if everything was. */
  untested: string | null;
};

/** `currency`: as Stripe writes it. */
type Keys = StripeAccess & { publishableKey: string; currency: string };

/** Tries both keys: what they belong to, and every permission that the shop needs. Stripe's own log shows the refused calls. */
export async function tryStripe({ publishableKey, currency, ...access }: Keys): Promise<StripeTried> {
  const { secretKey } = access;
  const none: StripeTried = {
    mode: isLiveKey(secretKey) ? "live" : "test",
    account: { id: null, name: null, canCharge: null },
    permissions: [],
    takesCurrency: null,
    refused: null,
    untested: null,
  };
  const misshapen = faultOfKeys(secretKey, publishableKey);
  if (misshapen !== null) return { ...none, refused: misshapen };
  try {
    const asked = createStripeSetup(access).try(currency);
    const trial = await inSeconds(
      mostSeconds,
      "Stripe",
      asked.then((seen) => ({ kind: "ok" as const, ...seen })),
    );
    if (trial.kind !== "ok") return { ...none, untested: trial.reason };
    const { account, permissions, reason, takesCurrency, checkoutFault } = trial;
    return {
      ...none,
      account,
      permissions,
      takesCurrency,
      refused: faultOfAccount(account.id, publishableKey),
      // what the account lacks is no fault of its keys
      untested: checkoutFault
        ? `Stripe opens no checkout for this account yet: ${checkoutFault}`
        : reason && away(reason),
    };
  } catch (error) {
    if (error instanceof CheckoutKeyRefused)
      return { ...none, refused: "Stripe refuses the secret key: copy it again from Developers › API keys." };
    if (error instanceof CheckoutUnreachable) return { ...none, untested: away(error) };
    if (error instanceof CheckoutRefused) return { ...none, refused: `Stripe refuses: ${error.message}` };
    throw error;
  }
}

/** Each of its calls ends sooner. */
const mostSeconds = 90;

function faultOfKeys(secretKey: string, publishableKey: string): string | null {
  if (!/^[sr]k_(test|live)_\S+$/.test(secretKey))
    return "The secret key must begin with sk_test_, sk_live_, rk_test_ or rk_live_: copy it from Developers › API keys.";
  if (!/^pk_(test|live)_\S+$/.test(publishableKey))
    return "The publishable key must begin with pk_test_ or pk_live_: copy it from Developers › API keys.";
  const [secret, publishable] = [secretKey, publishableKey].map((key) => (isLiveKey(key) ? "live" : "test"));
  if (secret === publishable) return null;
  return `The secret key is of ${secret} mode and the publishable key of ${publishable} mode: give two of the same mode.`;
}

/** Keys made since 2020 begin with their account's id. */
function faultOfAccount(account: string | null, publishableKey: string): string | null {
  const id = account?.replace(/^acct_/, "") ?? "";
  const rest = publishableKey.replace(/^pk_(test|live)_/, "");
  const tells = id !== "" && rest.startsWith("51") && rest.length > 40;
  if (!tells || rest.startsWith(`5${id}`)) return null;
  return `The publishable key belongs to another account than the secret key's, ${account}: copy both from the same one.`;
}

/** `deletesFirst`: the endpoint of this shop's that makes room. */
export type EndpointWanted = OwnEndpoint & { stripe: StripeAccess; deletesFirst?: string | undefined };

export type EndpointMade =
  | AgreedEndpoint
  | { kind: "by hand"; reason: string; url: string; types: string[]; apiVersion: string }
  | { kind: "untested"; reason: string };

/**
 * Makes the endpoint, or keeps one whose secret is known. `replaced`: the former one still sends; write the secret
 * first, then call {@link deleteOldEndpoints}. `others`: endpoints of this address that aren't this shop's.
 */
export async function makeWebhookEndpoint({
  stripe,
  deletesFirst,
  ...wanted
}: EndpointWanted): Promise<EndpointMade> {
  const byHand = (reason: string): EndpointMade => ({
    kind: "by hand",
    reason,
    url: wanted.url,
    ...endpointByHand,
  });
  try {
    const { agreeEndpoint, deleteEndpoint } = createStripeSetup(stripe);
    if (deletesFirst !== undefined) await deleteEndpoint(deletesFirst);
    return await agreeEndpoint(wanted);
  } catch (error) {
    if (error instanceof CheckoutForbidden)
      return byHand("The key lacks “Webhook Endpoints: Write”: grant it, or make the endpoint by hand.");
    if (error instanceof CheckoutRefused) return byHand(`Stripe refuses: ${error.message}`);
    if (error instanceof CheckoutUnreachable) return { kind: "untested", reason: away(error) };
    throw error;
  }
}

/** Deletes this shop's former endpoints of the address. What could not be deleted is the reason, one sentence. */
export async function deleteOldEndpoints({
  stripe,
  url,
  shopId,
  kept,
}: Pick<EndpointWanted, "stripe" | "url" | "shopId"> & { kept: string }): Promise<{
  deleted: string[];
  reason: string | null;
}> {
  try {
    const deleted = await createStripeSetup(stripe).deleteFormer({ url, shopId, kept });
    return { deleted, reason: null };
  } catch (error) {
    if (!(error instanceof CheckoutUnreachable || error instanceof CheckoutRefused)) throw error;
    const why = error instanceof CheckoutRefused ? `Stripe refuses: ${error.message}` : away(error);
    return { deleted: [], reason: `${why} Delete the former endpoint in Stripe's dashboard.` };
  }
}

function away(error: CheckoutUnreachable): string {
  if (error instanceof CheckoutKeyRefused) return "Stripe refuses the secret key.";
  if (error instanceof CheckoutForbidden || error instanceof CheckoutFailing) return `${error.message}.`;
  return "Stripe can't be reached from here: check the network, and run this again.";
}
