import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Config, ConfigError, type ShopConfig } from "@/core/settings/config";
import { settingsFile } from "@/core/settings/settings-file";
import { environmentHere, leftToRealShop } from "@/core/settings/settings-here";
import { commit } from "@/core/database/commit";
import { diskCodes, inFolder } from "@/core/database/disk-fault";
import { factOf, keepFact } from "@/core/database/key-values";
import { reasonOf } from "@/core/log/log";
import type { Simulated } from "@/domain/system/simulated";
import { StoredOtherwise } from "@/simulators/base/store";
import type { RunningShop } from "../shop";
import { buyerOfAKey, playCast } from "./cast";
import { publishDemoReleases } from "./releases";
import { connectCast } from "./connect-cast";
import { cast, guarded } from "./members";
import { saveReplies } from "./replies";
import { runAction, type Simulators, startSimulators } from "./simulators";
import { appointStaff } from "./staff";
import { sellStudio } from "./studio";
import { demoCode, makeDemoCode, thingsToTry } from "./to-try";
import { connectReceiver } from "./webhooks";
import { fillYear } from "./year/fill-year";

/** How long a stop waits for the current step of the first start. */
const lastStepMilliseconds = 2_000;

type DemoOptions = {
  print?: (text: string) => void;
  /** The data folder that a real shop here has or would have; null if that is not to be told. */
  realIn?: string | null;
};

/**
 * Starts the shop with simulators for the services that are not configured. Once it answers, prints its links and how
 * to sign in, and creates its customers meanwhile. Resolves to a function that stops everything.
 */
export async function startDemo(
  config: Config,
  start: (config: ShopConfig, simulated: Simulated) => Promise<RunningShop>,
  { print = (text) => void process.stdout.write(text), realIn = null }: DemoOptions = {},
) {
  if (config.stripe) print(foundStripe);
  const simulated = () => startSimulators(config);
  const simulators = await inFolder(join(config.dataDir, "simulators"), simulated, diskCodes).catch(
    (error: unknown) => {
      throw error instanceof StoredOtherwise ? new ConfigError(unreadable(config, error)) : error;
    },
  );
  const { stripe, mail, discord, local } = simulators;
  const shop = await start({ ...config, stripe, mail, discord }, { stripe: local.stripe !== null });
  simulators.sendEventsTo(shop.listening);
  await listEndpoint(shop, simulators);
  simulators.showCodes(codesFor(new URL("/desk", shop.url)));
  await makeCode(shop, simulators);
  await receiveWebhooks(shop, simulators);
  const hasCast = simulators.local.stripe !== null || (await factOf(shop.ctx, filledFact)) !== null;
  print(welcome(shop, simulators, { hasCast }) + commandLine(config, simulators) + aboutRealShop(realIn));
  const stopping = new AbortController();
  const filled = fill(shop, simulators, () => stopping.signal.throwIfAborted())
    .then((key) => key && print(`  Everyone is there. A key to register with: ${key}\n`))
    .catch((error: unknown) => {
      if (stopping.signal.aborted) return;
      shop.ctx.log.warn("the demo could not be filled; the next start continues", {
        reason: reasonOf(error),
      });
    });
  return async () => {
    stopping.abort();
    await Promise.race([filled, Bun.sleep(lastStepMilliseconds)]);
    await shop.stop();
    await simulators.stop();
  };
}

/** The secrets of those with two-factor, and a link to the desk for staff. */
const codesFor = (desk: URL) =>
  guarded.map((member) => {
    const who = cast[member];
    return { name: member, secret: who.secret, ...("role" in who ? { url: desk.href } : {}) };
  });

/** The simulators know a demo's customers, so suggests deleting all of the demo's data. */
function unreadable({ stripe, dataDir }: Config, { message: file }: StoredOtherwise): string {
  const folder = stripe ? join(dataDir, "simulators") : dataDir;
  return `The demo's data is damaged or was made by another release (${file}): delete ${folder} to begin the demo anew.`;
}

const filledFact = "demo_filled";

/**
 * Creates staff, a year of sales and the customers once, and only with the Stripe simulator; after an interruption the next start continues.
 * Resolves to an unredeemed key, or to null if there was nothing to do.
 */
async function fill(
  shop: RunningShop,
  { local, addPastSessions }: Simulators,
  goOn: () => void,
): Promise<string | null> {
  const { ctx, checkout, builds, signOn } = shop;
  if (!local.stripe || (await factOf(ctx, filledFact)) !== null) return null;
  await publishDemoReleases(ctx, builds, goOn);
  await appointStaff(ctx, goOn);
  await saveReplies(ctx);
  await sellStudio(ctx, { discordUrl: local.discord });
  await fillYear({ ctx, publicUrl: shop.url, code: demoCode, addPastSessions }, goOn);
  const key = await playCast({ ctx, checkout, publicUrl: shop.url, stripeUrl: local.stripe }, goOn);
  if (signOn && local.discord) await connectCast(ctx, signOn, { discordUrl: local.discord, goOn });
  await commit(ctx.store, [keepFact(ctx, filledFact, ctx.now().toISOString())]);
  return key;
}

/** Events go to this machine's address; the doctor looks for an endpoint with the public one. */
async function listEndpoint({ url }: RunningShop, { local }: Simulators): Promise<void> {
  if (!local.stripe) return;
  const endpoint = { url: new URL("/api/stripe/webhook", url).href };
  await runAction(local.stripe, "webhooks/endpoints", { endpoints: [endpoint] });
}

/** Only in the simulator, never in an operator's own Stripe account. */
async function makeCode({ ctx, checkout }: RunningShop, { local }: Simulators): Promise<void> {
  if (!local.stripe) return;
  await makeDemoCode(checkout).catch((error: unknown) =>
    ctx.log.warn("the demo's promotion code could not be made", { reason: reasonOf(error) }),
  );
}

/** Runs before the customers are created, so that the receiver gets their events. */
async function receiveWebhooks({ ctx }: RunningShop, { local }: Simulators): Promise<void> {
  if (!local.webhooks) return;
  await connectReceiver(ctx, local.webhooks).catch((error: unknown) =>
    ctx.log.warn("the demo's receiver of webhooks could not be added", { reason: reasonOf(error) }),
  );
}

function aboutRealShop(dataDir: string | null): string {
  if (dataDir === null) return "";
  return existsSync(settingsFile(dataDir))
    ? `  A real shop is set up in ${dataDir}; \`NODE_ENV=production npm start\` starts it.\n`
    : "  `npm run shop setup` sets up a real shop.\n";
}

/** The simulator generates Stripe's keys, so a command in another terminal needs them as settings. */
function commandLine({ dataDir, port }: Config, { local, stripe }: Simulators): string {
  if (!local.stripe) return "";
  const settings: Record<string, string> = {
    ...Object.fromEntries(leftToRealShop(environmentHere()).map((name) => [name, ""])),
    DATA_DIR: dataDir,
    PORT: String(port),
    STRIPE_API_URL: local.stripe.href,
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_PUBLISHABLE_KEY: stripe.publishableKey,
    STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
  };
  const each = Object.entries(settings).map(([name, value]) => `${name}='${value}'`);
  return `  For bun run shop … in another terminal, type there first:\n    export ${each.join(" ")}\n`;
}

/** The demo's own settings stay in a terminal in which its line for commands was typed. */
const foundStripe =
  "STRIPE_… settings are in this terminal's environment, so the demo uses them and starts no simulator of Stripe, and makes no customers. If they were printed by an earlier demo, start this one in a new terminal.\n";

function welcome(shop: RunningShop, simulators: Simulators, { hasCast }: { hasCast: boolean }): string {
  const people = [
    "  Pay with card 4242 4242 4242 4242, any later date, any three digits. Sign in as:",
    ...Object.values(cast).map((who) => {
      const secret = "secret" in who ? `; the secret for an authenticator app is ${who.secret}` : "";
      return `    ${who.username.padEnd(6)} ${who.password.padEnd(22)} ${who.is}${secret}`;
    }),
  ];
  const lines = [
    `This is the demo: nothing here costs money. Open ${shop.url.href}`,
    ...simulators.pages.map(({ name, url }) => `  ${name}: ${url}`),
    ...(hasCast ? people : []),
    "  Then try:",
    ...thingsToTry(shop.url, simulators, buyerOfAKey),
  ];
  return `${lines.join("\n")}\n`;
}
