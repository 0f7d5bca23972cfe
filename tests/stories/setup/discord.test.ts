import { afterEach, beforeEach, expect, test } from "bun:test";
import { discordStep } from "@/operator/setup/steps/discord";
import { type DiscordSimulator, startDiscordSimulator } from "@/simulators/discord/simulator";
import { control as controlAt } from "../../support/network/control";
import { startedSetup } from "../../support/operator/scripted-ui";

let discord: DiscordSimulator;
const start = (options: Parameters<typeof startDiscordSimulator>[0] = {}) =>
  startDiscordSimulator({ seed: 1, botName: "Shop", guildName: "Ours", ...options });
beforeEach(async () => {
  discord = await start();
});
afterEach(() => discord.stop());

const control = (action: string, body: object) => controlAt(discord.url, action, body);
const redirect = "http://127.0.0.1:3999/dashboard/discord-callback";
const allowRedirect = () => control("application", { redirect_uris: [redirect] });
const secrets = () => ({
  DISCORD_BOT_TOKEN: discord.botToken,
  DISCORD_CLIENT_SECRET: discord.clientSecret,
});
const started = (more: Record<string, string> = {}) =>
  startedSetup({ DISCORD_API_URL: `${discord.url}/api`, ...more });

test("what is there is proposed by its name, and the redirect is the one thing to paste", async () => {
  await control("bot", { role: "above" });
  using shop = started();
  const { said, asked } = await shop.run(discordStep, secrets(), [allowRedirect]);
  expect(said).toContain("The bot's intents are on");
  expect(said).toContain(`Add Redirect, Save:\n${redirect}\nPaste this redirect there, and save.`);
  expect(said).toContain("The application allows this shop's redirect.");
  expect(asked).toEqual([
    "DISCORD_BOT_TOKEN",
    "DISCORD_CLIENT_SECRET",
    "DISCORD_GUILD_ID",
    "DISCORD_SUPPORT_ROLE_ID",
    "DISCORD_PREMIUM_ROLE_ID",
    "DISCORD_SUPPORT_CHANNEL_ID",
    "DISCORD_STAFF_CHANNEL_ID",
  ]);
  expect(shop.setup.file).toMatchObject({
    DISCORD_CLIENT_ID: discord.applicationId,
    DISCORD_GUILD_ID: discord.guildId,
    DISCORD_PREMIUM_ROLE_ID: discord.premiumRoleId,
    DISCORD_SUPPORT_ROLE_ID: discord.supportRoleId,
    DISCORD_SUPPORT_CHANNEL_ID: discord.supportChannelId,
    DISCORD_STAFF_CHANNEL_ID: discord.staffChannelId,
  });
});

test("a bot in no server is invited, and makes the roles and channels that it is asked to", async () => {
  await discord.stop();
  discord = await start({ invited: false });
  using shop = started();
  const made = Object.fromEntries(ids.map((name) => [name, "new"]));
  const { said } = await shop.run(discordStep, { ...secrets(), ...made }, [
    allowRedirect,
    () => control("invite", { url: invitation() }),
  ]);
  expect(said).toContain("&permissions=1460557433873");
  for (const name of [
    "the role Support",
    "the role Brushwork",
    "the channel #support",
    "the channel #staff",
  ]) {
    expect(said).toContain(`The bot made ${name}.`);
  }
  expect(said).toContain("invite it again:\n");
  expect(new Set(ids.map((name) => shop.setup.file[name])).size).toBe(ids.length);
});

test("with another server the ids that no question is about are taken out, unless they are there", async () => {
  await control("bot", { role: "above" });
  const former = { DISCORD_GUILD_ID: "100000000000000001", DISCORD_OWNER_ROLE_ID: "100000000000000002" };
  using shop = started({ ...former, DISCORD_NEWS_CHANNEL_ID: discord.supportChannelId });
  const { said } = await shop.run(discordStep, secrets(), [allowRedirect]);
  expect(said).toContain(
    "Taken out, because it named something in the former server: DISCORD_OWNER_ROLE_ID. Set it anew with shop settings set.",
  );
  expect(shop.setup.file).not.toHaveProperty("DISCORD_OWNER_ROLE_ID");
  expect(shop.setup.file).toMatchObject({ DISCORD_NEWS_CHANNEL_ID: discord.supportChannelId });
});

test("a role above the bot's is dragged, and one that members hold takes their number", async () => {
  await control("bot", { role: "below" });
  await control("roles", { user: "ada", role: discord.premiumRoleId });
  using shop = started();
  const { said } = await shop.run(discordStep, { ...secrets(), ROLE_MEMBERS: ["no", "1"] }, [
    allowRedirect,
    () => control("bot", { role: "above" }),
  ]);
  expect(said).toMatch(/The bot's highest role is below .+ Drag Shop above it/);
  expect(said).toContain("It must be 1.");
  expect(shop.setup.file["DISCORD_PREMIUM_ROLE_ID"]).toBe(discord.premiumRoleId);
});

test("a bot that lacks rights is refused with their names, until it was invited anew", async () => {
  await control("bot", { role: "above", deny: ["MANAGE_ROLES", "MANAGE_THREADS"] });
  using shop = started();
  const { said } = await shop.run(discordStep, secrets(), [
    allowRedirect,
    // still without them
    () => Promise.resolve(),
    () => control("invite", { url: invitation() }),
  ]);
  const sentence = `The bot lacks Manage Roles, Manage Threads in the server: invite it again with ${invitation()}.`;
  expect(said.split(sentence)).toHaveLength(3);
  expect(shop.setup.file).toMatchObject({ DISCORD_GUILD_ID: discord.guildId });
});

test("a bot that may not make channels is invited anew before it makes one", async () => {
  await control("bot", { role: "above" });
  using shop = started();
  const { said } = await shop.run(discordStep, { ...secrets(), DISCORD_SUPPORT_CHANNEL_ID: "new" }, [
    allowRedirect,
    () => control("invite", { url: invitation() }),
  ]);
  expect(said).toContain(
    `The bot lacks Manage Channels, Timeout Members in the server: invite it again with ${invitation()}.`,
  );
  expect(said).toContain("The bot made the channel #support.");
});

test("a wrong token asks again, a Discord that is away takes the ids as they are typed, and off is an answer", async () => {
  await control("bot", { role: "above" });
  using shop = started();
  const wrong = `${discord.botToken}x`;
  const { said } = await shop.run(
    discordStep,
    { ...secrets(), DISCORD_BOT_TOKEN: [wrong, discord.botToken] },
    [allowRedirect],
  );
  expect(said).toStartWith("Discord refuses the bot's token");
  expect(said).not.toContain(wrong);
  await control("faults", { api: { away: true } });
  const away = await shop.run(discordStep, {});
  expect(away.said).toStartWith("Untested: Discord can't be reached");
  await shop.run(discordStep, { DISCORD_BOT_TOKEN: "off" });
  expect(shop.setup.file["DISCORD"]).toBe("off");
  expect(shop.setup.file).not.toHaveProperty("DISCORD_BOT_TOKEN");
});

const ids = [
  "DISCORD_SUPPORT_ROLE_ID",
  "DISCORD_PREMIUM_ROLE_ID",
  "DISCORD_SUPPORT_CHANNEL_ID",
  "DISCORD_STAFF_CHANNEL_ID",
] as const;

const invitation = () =>
  `${discord.url}/oauth2/authorize?client_id=${discord.applicationId}&scope=bot+applications.commands&permissions=1460557433873`;
