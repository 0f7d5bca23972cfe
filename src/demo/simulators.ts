import { createServer } from "node:net";
import { join } from "node:path";
import { brand } from "@/brand/brand";
import type { Config, DiscordConfig, MailConfig, StripeConfig } from "@/core/settings/config";
import type { PastSession } from "@/simulators/stripe/control/past";

export type Simulators = {
  stripe: StripeConfig;
  mail: MailConfig | "off";
  discord: DiscordConfig | "off";
  pages: { name: string; url: string }[];
  /** The simulators in use, through which the demo acts as a buyer or a member; null where the service is real. */
  local: { stripe: URL | null; discord: URL | null; webhooks: URL | null; authenticator: URL | null };
  /** Tells the Stripe simulator the shop's URL; until then its webhooks wait. */
  sendEventsTo(shop: URL): void;
  /** Adds sessions to the Stripe simulator that ended before it started. */
  addPastSessions: (sessions: PastSession[]) => void;
  /** Shows these codes in the authenticator app, if there is one. */
  showCodes(entries: { name: string; secret: string; url?: string | undefined }[]): void;
  stop(): Promise<void>;
};

/**
 * Starts a simulator for each service that is not configured: Stripe, the mail server, Discord. With Stripe's
 * simulator, for which the demo creates customers and staff, also starts a receiver of webhooks and their
 * authenticator app. They listen on loopback, on the ports after the shop's, and keep their state in the data directory.
 */
export async function startSimulators(config: Config): Promise<Simulators> {
  const stripe = config.stripe ? null : await localStripe(config);
  const mail = config.mail ? null : await localMail(config);
  const discord = config.discord ? null : await localDiscord(config);
  const webhooks = stripe && (await localReceiver(config));
  const authenticator = stripe && (await localAuthenticator(config));
  return {
    stripe: config.stripe ?? stripeConfig(stripe),
    mail: config.mail ?? { smtpUrl: mail?.smtpUrl ?? "", from: "shop@localhost.localdomain" },
    discord: config.discord ?? discordConfig(discord, config),
    pages: [
      ...(stripe ? [{ name: "Stripe's side: payments, refunds, disputes", url: stripe.url }] : []),
      ...(mail ? [{ name: "Everyone's mailbox", url: mail.url }] : []),
      ...(discord ? [{ name: "Discord: the server, as any member", url: discord.url }] : []),
      ...(webhooks ? [{ name: "Webhooks, as another system receives them", url: webhooks.url }] : []),
      ...(authenticator ? [{ name: "Authenticator: codes for two-factor", url: authenticator.url }] : []),
    ],
    local: {
      stripe: stripe && new URL(stripe.url),
      discord: discord && new URL(discord.url),
      webhooks: webhooks && new URL(webhooks.url),
      authenticator: authenticator && new URL(authenticator.url),
    },
    sendEventsTo: (shop) => stripe?.setWebhookUrl(new URL("/api/stripe/webhook", shop).href),
    addPastSessions: (sessions) => stripe?.addPast(sessions),
    showCodes: (entries) => authenticator?.show(entries),
    async stop() {
      await stripe?.stop();
      await mail?.stop();
      await discord?.stop();
      await webhooks?.stop();
      await authenticator?.stop();
    },
  };
}

async function localStripe(config: Config) {
  const { startStripeSimulator } = await import("@/simulators/stripe/simulator");
  const port = await portNear(config.port, 1);
  return startStripeSimulator({ port, dataDir: join(config.dataDir, "simulators", "stripe") });
}

async function localMail(config: Config) {
  const { startMailSimulator } = await import("@/simulators/mail/simulator");
  const [httpPort, smtpPort] = [await portNear(config.port, 2), await portNear(config.port, 3)];
  return startMailSimulator({
    httpPort,
    smtpPort,
    dataDir: join(config.dataDir, "simulators", "mail"),
    designs: emailDesigns,
  });
}

/** Every email that the shop can send, as a mail server would receive it. */
async function emailDesigns() {
  const { composeEmail } = await import("@/gateways/mail/message");
  const { emailSamples } = await import("./email-samples");
  const addresses = { from: `${brand.product} <shop@localhost.localdomain>`, to: "customer@example.com" };
  const samples = Object.entries(emailSamples);
  return Promise.all(
    samples.map(async ([name, email]) => ({ name, raw: await composeEmail(email, addresses) })),
  );
}

async function localDiscord(config: Config) {
  const { startDiscordSimulator } = await import("@/simulators/discord/simulator");
  const port = await portNear(config.port, 4);
  return startDiscordSimulator({
    port,
    dataDir: join(config.dataDir, "simulators", "discord"),
    guildName: brand.product,
    botName: brand.shortName,
  });
}

async function localReceiver(config: Config) {
  const { startWebhookSimulator } = await import("@/simulators/webhooks/simulator");
  const port = await portNear(config.port, 5);
  return startWebhookSimulator({ port, dataDir: join(config.dataDir, "simulators", "webhooks") });
}

async function localAuthenticator(config: Config) {
  const { startAuthenticatorSimulator } = await import("@/simulators/authenticator/simulator");
  return startAuthenticatorSimulator({ port: await portNear(config.port, 6) });
}

function discordConfig(
  discord: Awaited<ReturnType<typeof localDiscord>> | null,
  { refundDailyCap }: Config,
): DiscordConfig {
  if (!discord) throw new Error("the Discord simulator is not running");
  const { botToken, clientId, clientSecret, guildId, premiumRoleId } = discord;
  const { supportRoleId, supportChannelId, staffChannelId, generalChannelId } = discord;
  return {
    botToken,
    clientId,
    clientSecret,
    guildId,
    premiumRoleId,
    supportRoleId,
    supportChannelId,
    staffChannelId,
    ownerRoleId: null,
    refundDailyCap,
    newsChannelId: generalChannelId,
    apiUrl: new URL("/api", discord.url),
  };
}

function stripeConfig(stripe: Awaited<ReturnType<typeof localStripe>> | null): StripeConfig {
  if (!stripe) throw new Error("the Stripe simulator is not running");
  const { secretKey, publishableKey, webhookSecret } = stripe;
  return { secretKey, publishableKey, webhookSecret, apiUrl: new URL(stripe.url) };
}

/** The same port at every start, so that bookmarks work; any other port if it is taken. */
async function portNear(shopPort: number, distance: number): Promise<number> {
  if (shopPort === 0) return 0;
  return (await isFree(shopPort + distance)) ? shopPort + distance : 0;
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });

export async function runAction(
  simulator: URL,
  action: string,
  body: object,
): Promise<Record<string, unknown>> {
  const answer = await fetch(new URL(`/_control/${action}`, simulator), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`The simulator refused "${action}": ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}
