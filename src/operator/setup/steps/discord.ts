import { neededBy } from "@/core/settings/settings";
import { discordCallback } from "@/domain/discord/sign-on";
import {
  channelsOf,
  type DiscordAccess,
  rolesOf,
  tryClientSecret,
  tryDiscord,
  turnOnIntents,
} from "../discord";
import { outcomeOf, proved, type Tried, untilRight } from "../ui/ui";
import { askIds, chooseServer, chooseInServer } from "./discord-server";
import { askFor, given, hasAll, save, type Setup } from "./state";

export const hasDiscord = (setup: Setup): boolean =>
  given(setup, "DISCORD") === "off" || hasAll(setup, "discord");

/** `applicationId`: null if it can't be told. */
type Bot = { access: DiscordAccess; applicationId: string | null };

/** The bot, its server, and the roles and channels there. */
export async function discordStep(setup: Setup): Promise<void> {
  const { ui } = setup;
  const off = given(setup, "DISCORD") === "off";
  const apiUrl = given(setup, "DISCORD_API_URL");
  const bot = await untilRight(ui, async (): Promise<Tried<Bot | "off">> => {
    const token = await askFor(setup, "DISCORD_BOT_TOKEN", {
      asks: "The Discord bot's token (developer portal, Bot, Reset Token); off sells without Discord",
      proposal: off ? "off" : given(setup, "DISCORD_BOT_TOKEN"),
      secret: true,
    });
    if (token === "off") return proved("The shop runs without Discord.", "off");
    const access = { botToken: token, apiUrl: apiUrl === "" ? null : new URL(apiUrl) };
    const tried = await ui.work("Asking Discord", () => tryDiscord(access));
    if (tried.kind !== "ok") return outcomeOf<Bot>(tried, { access, applicationId: null }, "");
    const sentence = `The token is ${tried.botName}'s, of the application ${tried.name}.`;
    return proved(sentence, { access, applicationId: tried.id });
  });
  if (bot === "off") {
    const none = Object.fromEntries([...neededBy("discord"), ...unasked].map((name) => [name, ""]));
    return save(setup, { ...none, DISCORD: "off" });
  }
  const { access, applicationId } = bot;
  const token = { DISCORD: "", DISCORD_BOT_TOKEN: access.botToken };
  if (applicationId === null) {
    const ids = await askIds(setup);
    return save(setup, { ...token, ...ids, ...(await leftBehind(setup, access, ids.DISCORD_GUILD_ID)) });
  }
  await intentsOn(setup, access);
  const clientSecret = await secretOf(setup, { clientId: applicationId, apiUrl: access.apiUrl });
  await redirectOf(setup, access);
  const serverId = await chooseServer(setup, { access, applicationId });
  const chosen = await chooseInServer(setup, { access, applicationId, serverId });
  save(setup, {
    ...token,
    DISCORD_CLIENT_ID: applicationId,
    DISCORD_CLIENT_SECRET: clientSecret,
    DISCORD_GUILD_ID: serverId,
    ...chosen,
    ...(await leftBehind(setup, access, serverId)),
  });
  ui.proved("The bot, its server, roles and channels are set up.");
}

/** Ids in the server that no question is about. */
const unasked = ["DISCORD_OWNER_ROLE_ID", "DISCORD_NEWS_CHANNEL_ID"] as const;

/** Those of the former server, emptied. */
async function leftBehind(setup: Setup, access: DiscordAccess, serverId: string) {
  const former = given(setup, "DISCORD_GUILD_ID");
  if (former === "" || former === serverId) return {};
  const roles = await rolesOf(access, { serverId });
  const channels = await channelsOf(access, { serverId });
  const there = [
    ...(roles.kind === "ok" ? roles.roles : []),
    ...(channels.kind === "ok" ? channels.channels : []),
  ].map(({ id }) => id);
  const left = unasked.filter((name) => given(setup, name) !== "" && !there.includes(given(setup, name)));
  if (left.length > 0) {
    setup.ui.note(
      `Taken out, because it named something in the former server: ${left.join(", ")}. Set it anew with shop settings set.`,
    );
  }
  return Object.fromEntries(left.map((name) => [name, ""]));
}

async function intentsOn({ ui }: Setup, access: DiscordAccess): Promise<void> {
  const tried = await ui.work("Turning on the bot's intents", () => turnOnIntents(access));
  if (tried.kind === "ok") return ui.proved("The bot's intents are on: Server Members and Message Content.");
  ui.untested(tried.reason);
  if (tried.kind === "untested" || !(await ui.wait("Turn on both switches."))) return;
  const again = await tryDiscord(access);
  const isOn = again.kind === "ok" && again.intents.members && again.intents.messages;
  if (isOn) ui.proved("The bot's intents are on.");
  else ui.untested("They are still off: without them the bot doesn't start.");
}

type Client = { clientId: string; apiUrl: URL | null };

const secretOf = (setup: Setup, client: Client): Promise<string> =>
  untilRight(setup.ui, async (): Promise<Tried<string>> => {
    const asks = "The application's client secret (developer portal, OAuth2, Reset Secret)";
    const value = await askFor(setup, "DISCORD_CLIENT_SECRET", { asks, secret: true });
    const tried = await tryClientSecret({ ...client, clientSecret: value });
    return outcomeOf(tried, value, "Discord takes the client secret.");
  });

/** Only its owner can allow an application's redirects. */
async function redirectOf(setup: Setup, access: DiscordAccess): Promise<void> {
  const { ui } = setup;
  const redirect = discordCallback(given(setup, "PUBLIC_URL"));
  const isAllowed = async () => {
    const tried = await tryDiscord(access);
    return tried.kind === "ok" && tried.redirects?.includes(redirect) === true;
  };
  let allowed = await isAllowed();
  if (!allowed) {
    ui.note("Developer portal, OAuth2, Redirects, Add Redirect, Save:", redirect);
    if (await ui.wait("Paste this redirect there, and save.")) allowed = await isAllowed();
  }
  if (allowed) ui.proved("The application allows this shop's redirect.");
  else ui.untested(`Customers can connect Discord once the application allows ${redirect}.`);
}
