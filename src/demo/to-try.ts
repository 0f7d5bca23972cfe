import type { CheckoutGateway } from "@/domain/payments/port/stripe";
import type { Simulators } from "./simulators";

/** A promotion code in the demo's Stripe, and how many per cent it takes off. */
export const demoCode = { code: "TRY20", percent: 20 };

/** Creates the demo's promotion code, unless the Stripe simulator has it from an earlier start. */
export async function makeDemoCode(checkout: CheckoutGateway): Promise<void> {
  const made = await checkout.codes();
  if (made.some(({ code }) => code === demoCode.code)) return;
  const { code, percent } = demoCode;
  await checkout.createCode({ code, off: { percent }, lasts: "once", mostUses: null, expiresAt: null });
}

/** Suggestions beyond a first sale, a line each, as far as the simulators support them. */
export function thingsToTry(shop: URL, { local }: Simulators, buyer: string): string[] {
  const at = (path: string) => new URL(path, shop).href;
  const stripe: [string, string][] = local.stripe
    ? [
        ["a promotion code", `${at(`/?code=${demoCode.code}`)} takes off ${demoCode.percent} %`],
        ["a refund, a dispute", `buy something; the buttons for both are beside it at ${local.stripe.href}`],
        ["a lost order", `${at("/find-order")} for ${buyer}, then look into the mailbox`],
      ]
    : [];
  const discord: [string, string][] = local.discord
    ? [["a ticket", `type /support open as ada at ${local.discord.href}`]]
    : [];
  const webhooks: [string, string][] = local.webhooks
    ? [["a webhook that fails", `let ${local.webhooks.href} answer 500, and buy something`]]
    : [];
  const desk: [string, string][] = local.authenticator
    ? [["the desk", `sign in as olga or sam; codes and a link are at ${local.authenticator.href}`]]
    : [];
  const all: [string, string][] = [
    ...desk,
    ...stripe,
    ["a gift", `${at("/?gift")}: the key is mailed to someone else`],
    ["a second level", `${at("/?offer=studio")} opens Studio's offer`],
    ["a feature", `let nora sign in to bun run example ${shop.origin}: Export is ready`],
    ["another offer", 'bun run shop offers add month --name "One month" --amount 200 --days 30 --reason try'],
    ...discord,
    ...webhooks,
  ];
  return all.map(([what, how]) => `    ${what.padEnd(20)} ${how}`);
}
