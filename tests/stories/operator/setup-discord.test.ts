import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  channelsOf,
  invitationOf,
  makeChannel,
  makeRole,
  rolesOf,
  serversOf,
  tryClientSecret,
  tryDiscord,
  turnOnIntents,
} from "@/operator/setup/discord";
import type { Tried } from "@/operator/setup/tried";
import { type DiscordSimulator, startDiscordSimulator } from "@/simulators/discord/simulator";
import { control as controlAt } from "../../support/network/control";

let discord: DiscordSimulator;
const start = (options: Parameters<typeof startDiscordSimulator>[0] = {}) =>
  startDiscordSimulator({ seed: 1, botName: "Shop", guildName: "Ours", ...options });

beforeEach(async () => {
  discord = await start();
});
afterEach(() => discord.stop());

const control = (action: string, body: object) => controlAt(discord.url, action, body);
const access = (botToken = discord.botToken) => ({ botToken, apiUrl: new URL(`${discord.url}/api`) });
const server = () => ({ serverId: discord.guildId });

test("a token tells its application, its bot, its intents and the redirects that it allows", async () => {
  await control("bot", { intents: ["members"] });
  await control("application", { redirect_uris: ["http://shop.test/dashboard/discord-callback"] });
  expect(await tryDiscord(access())).toEqual({
    kind: "ok",
    id: discord.applicationId,
    name: "Shop",
    botName: "Shop",
    intents: { members: true, messages: false },
    redirects: ["http://shop.test/dashboard/discord-callback"],
  });
});

test("a wrong token is refused without being shown, and a Discord that is away is untested", async () => {
  const wrong = `${discord.botToken}x`;
  expect(reasonOf(await tryDiscord(access(wrong)))).toStartWith("Discord refuses the bot's token");
  expect(reasonOf(await tryDiscord(access(wrong)))).not.toContain(wrong);
  for (const fail of [500, 503] as const) {
    await control("faults", { api: { next: [{ fail, count: 2 }] } });
    expect((await tryDiscord(access())).kind).toBe("untested");
  }
  await control("faults", { api: { away: true } });
  expect((await tryDiscord(access())).kind).toBe("untested");
  expect((await tryClientSecret(client())).kind).toBe("untested");
  expect((await rolesOf(access(), server())).kind).toBe("untested");
});

test("the intents are turned on beside the flags that are there, and where Discord refuses, the switches are named", async () => {
  await control("bot", { intents: [] });
  expect(await turnOnIntents(access())).toMatchObject({ intents: { members: true, messages: true } });
  expect(await tryDiscord(access())).toMatchObject({ intents: { members: true, messages: true } });
  await control("bot", { intents: [] });
  const body = { code: 50035, message: "Invalid Form Body", errors: {} };
  const answer = { status: 400, body };
  await control("faults", { api: { next: [{ fail: "answer", answer, method: "PATCH" }] } });
  const refusal = await turnOnIntents(access());
  expect(refusal.kind).toBe("refused");
  expect(reasonOf(refusal)).toContain("Server Members Intent and Message Content Intent");
});

const client = (clientSecret = discord.clientSecret) => ({
  clientId: discord.clientId,
  clientSecret,
  apiUrl: access().apiUrl,
});
test("the client secret is tried", async () => {
  expect(await tryClientSecret(client())).toEqual({ kind: "ok" });
  expect(reasonOf(await tryClientSecret(client("wrong-one")))).not.toContain("wrong-one");
});

test("the invitations ask for what the bot uses, or also for what making takes, and Discord's page adds the bot", async () => {
  await discord.stop();
  discord = await start({ invited: false });
  expect(await serversOf(access())).toEqual({ kind: "ok", servers: [] });
  expect((await rolesOf(access(), server())).kind).toBe("refused");
  const address = (purpose: "use" | "make") => invitationOf(discord.applicationId, purpose, access().apiUrl);
  expect(await invitationOf("1", "use")).toBe(
    "https://discord.com/oauth2/authorize?client_id=1&scope=bot+applications.commands&permissions=361045806081",
  );
  expect(await invitationOf("1", "make")).toEndWith("&permissions=1460557433873");

  const page = await fetch(await address("make"));
  expect(await page.text()).toContain("manage channels");
  const body = new URLSearchParams([
    ...new URL(await address("make")).searchParams,
    ["decision", "authorize"],
  ]);
  const agreed = await fetch(await address("make"), { method: "POST", body });
  expect(await agreed.text()).toContain("Authorized");
  expect(await serversOf(access())).toEqual({
    kind: "ok",
    servers: [{ id: discord.guildId, name: "Ours" }],
  });
  expect(await rolesOf(access(), server())).toMatchObject({ lacks: { use: [], make: [] } });
  await control("invite", { url: await address("use") });
  expect(await rolesOf(access(), server())).toMatchObject({
    lacks: { use: [], make: ["Manage Channels", "Timeout Members"] },
  });
});

test("each role says why it can't be the premium role, and how many hold it", async () => {
  const powers = [
    "ADMINISTRATOR",
    "MANAGE_GUILD",
    "MANAGE_NICKNAMES",
    "MANAGE_WEBHOOKS",
    "MANAGE_EVENTS",
    "KICK_MEMBERS",
    "BAN_MEMBERS",
    "MODERATE_MEMBERS",
    "MENTION_EVERYONE",
  ];
  for (const power of powers) await below(power, [power]);
  await below("Helpers");
  await below("Owners");
  await below("Customers", ["SEND_MESSAGES"]);
  await control("roles", { user: "ada", role: "Customers" });
  await control("roles/create", { name: "Above" });
  const seen = await rolesOf(access(), {
    ...server(),
    staffRoleIds: [await idOf("Helpers"), await idOf("Owners")],
  });
  if (seen.kind !== "ok") throw new Error(seen.reason);
  const codes = Object.fromEntries(seen.roles.map(({ name, fault }) => [name, fault?.code ?? null]));
  expect(codes).toEqual({
    "@everyone": "role_everyone",
    Shop: "role_managed",
    Support: "role_too_high",
    Above: "role_too_high",
    Helpers: "role_of_staff",
    Owners: "role_of_staff",
    ...Object.fromEntries(powers.map((power) => [power, "role_powerful"])),
    Premium: null,
    Customers: null,
  });
  const named = (name: string) => seen.roles.find((role) => role.name === name);
  expect(named("Customers")?.members).toBe(1);
  expect(named("Above")?.fault?.sentence).toBe(
    "The bot's highest role is below Above. Drag Shop above it in the server's role settings.",
  );
  expect(named("MODERATE_MEMBERS")?.fault?.sentence).toContain("gives every customer Timeout Members");
});

test("roles are made below the bot's, channels so that only support and the bot see staff's", async () => {
  await discord.stop();
  discord = await start({ invited: false });
  await control("invite", { url: await invitationOf(discord.applicationId, "make", access().apiUrl) });
  const premium = ok(await makeRole(access(), { ...server(), name: "Customers", use: "premium" }));
  const support = ok(await makeRole(access(), { ...server(), name: "Helpers", use: "support" }));
  const seen = ok(await rolesOf(access(), { ...server(), staffRoleIds: [support.id] }));
  const named = (id: string) => seen.roles.find((role) => role.id === id);
  expect(named(premium.id)).toEqual({ id: premium.id, name: "Customers", members: 0, fault: null });
  expect(named(support.id)?.fault?.code).toBe("role_of_staff");
  const wanted = { ...server(), supportRoleId: support.id };
  const help = ok(await makeChannel(access(), { ...wanted, name: "Help desk", use: "support" }));
  const staff = ok(await makeChannel(access(), { ...wanted, name: "helpers", use: "staff" }));
  expect(help.name).toBe("help-desk");
  // with the smaller rights the bot still does its work there
  await control("invite", { url: await invitationOf(discord.applicationId, "use", access().apiUrl) });
  const { channels } = ok(await channelsOf(access(), server()));
  const faults = (id: string) => channels.find((channel) => channel.id === id)?.faults;
  expect(faults(help.id)?.support).toBeNull();
  expect(faults(staff.id)?.staff).toBeNull();
  expect(faults(help.id)?.staff).toBe("Every member can read #help-desk: hide it from @everyone.");
  expect(faults(staff.id)?.support).toContain("#helpers");
  await control("channels/overwrite", { channel: "helpers", role: "Customers", allow: ["VIEW_CHANNEL"] });
  const later = ok(await channelsOf(access(), { ...server(), premiumRoleId: premium.id }));
  expect(later.channels.find(({ id }) => id === staff.id)?.faults.staff).toBe(
    "Every customer can read #helpers: hide it from the premium role.",
  );
});

test("a bot without the rights to make roles and channels is told to be invited again", async () => {
  await control("bot", { deny: ["MANAGE_ROLES"] });
  const wanted = { ...server(), name: "Customers", use: "premium" } as const;
  expect(reasonOf(await makeRole(access(), wanted))).toContain("invite it again");
  expect(reasonOf(await makeRole(access(), { ...wanted, name: "x".repeat(101) }))).toContain("another");
  const channel = {
    ...server(),
    name: "help",
    use: "support",
    supportRoleId: discord.supportRoleId,
  } as const;
  expect(reasonOf(await makeChannel(access(), channel))).toContain("invite it again");
  expect(await rolesOf(access(), server())).toMatchObject({
    lacks: { use: ["Manage Roles"], make: ["Manage Roles", "Manage Channels", "Timeout Members"] },
  });
});

/** A role that stands below the bot's. */
async function below(name: string, permissions: string[] = []) {
  await control("roles/create", { name, permissions });
  await control("roles/drag", { role: name, to: 1 });
}

async function idOf(name: string): Promise<string> {
  const { roles } = ok(await rolesOf(access(), server()));
  return roles.find((role) => role.name === name)?.id ?? "";
}

function ok<T extends object>(tried: Tried<T>): T {
  if (tried.kind !== "ok") throw new Error(tried.reason);
  return tried;
}

const reasonOf = (tried: Tried) => (tried.kind === "ok" ? "" : tried.reason);
