import type { Config } from "@/core/config";
import { countAccounts } from "@/domain/accounts/count";
import type { RunningShop, ShopConfig } from "../shop";
import { cast, playCast } from "./cast";
import { publishDemoReleases } from "./releases";
import { connectCast } from "./connect-cast";
import { type StandIns, startStandIns } from "./stand-ins";

/**
 * The shop with what its configuration leaves out standing on this machine: says where to click and
 * how to sign in. Resolves to what stops it all.
 */
export async function startDemo(config: Config, start: (config: ShopConfig) => Promise<RunningShop>) {
  const standIns = await startStandIns(config);
  const shop = await start({
    ...config,
    stripe: standIns.stripe,
    mail: standIns.mail,
    discord: standIns.discord,
  });
  const strangersKey = await firstStart(shop, standIns);
  standIns.sendEventsTo(shop.listening);
  say(shop, standIns.pages, strangersKey);
  return async () => {
    await shop.stop();
    await standIns.stop();
  };
}

/** The cast moves in once, and only where Stripe is the local one. */
async function firstStart(shop: RunningShop, { stripe, discord }: StandIns): Promise<string | null> {
  const stripeUrl = stripe.apiUrl;
  if (!stripeUrl || (await countAccounts(shop.ctx)) > 0) return null;
  await publishDemoReleases(shop.ctx, shop.builds);
  const key = await playCast({ ctx: shop.ctx, checkout: shop.checkout, publicUrl: shop.url, stripeUrl });
  const discordUrl = discord === "off" ? null : discord.apiUrl;
  if (shop.signOn && discordUrl) await connectCast(shop.ctx, shop.signOn, discordUrl);
  return key;
}

function say(shop: RunningShop, pages: { name: string; url: string }[], strangersKey: string | null) {
  const lines = [
    `This is the demo: nothing here costs money. Open ${shop.url.href}`,
    ...pages.map(({ name, url }) => `  ${name}: ${url}`),
    "  Pay with card 4242 4242 4242 4242, any later date, any three digits. Sign in as:",
    ...Object.values(cast).map((who) => `    ${who.username.padEnd(6)} ${who.password.padEnd(22)} ${who.is}`),
    ...(strangersKey ? [`  A key to register with: ${strangersKey}`] : []),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}
