import type { ServerSeen } from "@bot/server/building";
import {
  channelsOf,
  type DiscordAccess,
  invitationOf,
  makeChannel,
  makeRole,
  rolesOf,
  serversOf,
} from "../discord";
import type { Tried as Trial } from "../tried";
import { productOf } from "./shop";
import { askFor, given, type Setup } from "./state";

type Bot = { access: DiscordAccess; applicationId: string };
type InServer = Bot & { serverId: string };

const roles = ["DISCORD_SUPPORT_ROLE_ID", "DISCORD_PREMIUM_ROLE_ID"] as const;
const channels = ["DISCORD_SUPPORT_CHANNEL_ID", "DISCORD_STAFF_CHANNEL_ID"] as const;
type Chosen = Record<(typeof roles)[number] | (typeof channels)[number], string>;

/** The ids as they are typed, while Discord can't be asked. */
export async function askIds(setup: Setup) {
  const ids: Record<string, string> = {};
  for (const name of ["DISCORD_CLIENT_ID", "DISCORD_GUILD_ID", ...roles, ...channels] as const) {
    ids[name] = await askFor(setup, name, { asks: `${name}, with Developer Mode on, from Copy ID` });
  }
  const asks = "The application's client secret (OAuth2)";
  const secret = await askFor(setup, "DISCORD_CLIENT_SECRET", { asks, secret: true });
  return { ...ids, DISCORD_GUILD_ID: ids["DISCORD_GUILD_ID"] ?? "", DISCORD_CLIENT_SECRET: secret };
}

/** What a trial answers; asks a person to mend what it refuses, and tries again. */
async function answered<T extends object>(
  { ui }: Setup,
  trial: () => Promise<Trial<T>>,
): Promise<T & { kind: "ok" }> {
  for (;;) {
    const tried = await ui.work("Asking Discord", trial);
    if (tried.kind === "ok") return tried;
    ui.refuse(tried.reason);
    await ui.wait("Mend it, or leave with Ctrl+C and continue later.");
  }
}

/** The server, confirmed by its name; invites the bot to one if it is in none. */
export async function chooseServer(setup: Setup, { access, applicationId }: Bot): Promise<string> {
  const { ui } = setup;
  const invite = await invitationOf(applicationId, "make", access.apiUrl);
  for (;;) {
    const { servers } = await answered(setup, () => serversOf(access));
    const present = given(setup, "DISCORD_GUILD_ID");
    const isThere = servers.some(({ id }) => id === present);
    const choice =
      servers.length === 0
        ? "invite"
        : await ui.choose({
            name: "DISCORD_GUILD_ID",
            asks: "The server for customers",
            options: [
              ...servers.map(({ id, name }) => ({ value: id, label: name })),
              { value: "invite", label: "Another, to which I invite the bot" },
            ],
            proposal: isThere ? present : servers.length === 1 ? servers[0]?.id : undefined,
          });
    if (choice !== "invite") return choice;
    ui.note("Invite the bot to your server:", invite);
    if (!(await ui.wait("Open this, choose the server, and authorize."))) {
      ui.refuse(`The bot is in no server: invite it with ${invite} first.`);
    }
  }
}

/** Roles and channels of the server, which the bot makes where none is chosen. */
export async function chooseInServer(setup: Setup, bot: InServer): Promise<Chosen> {
  const { ui } = setup;
  await expectRights(setup, bot, "use");
  const supportRoleId = await supportRole(setup, bot);
  const premiumRoleId = await premiumRole(setup, { ...bot, supportRoleId });
  const chosenRoles = { supportRoleId, premiumRoleId };
  const chosen = {
    DISCORD_SUPPORT_ROLE_ID: supportRoleId,
    DISCORD_PREMIUM_ROLE_ID: premiumRoleId,
    DISCORD_SUPPORT_CHANNEL_ID: await channel(setup, { ...bot, ...chosenRoles, use: "support" }),
    DISCORD_STAFF_CHANNEL_ID: await channel(setup, { ...bot, ...chosenRoles, use: "staff" }),
  };
  const { lacks } = await answered(setup, () => rolesOf(bot.access, bot));
  if (lacks.make.length === 0) {
    const fewer = await invitationOf(bot.applicationId, "use", bot.access.apiUrl);
    ui.note("The bot no longer needs the rights to make these. To take them back, invite it again:", fewer);
  }
  return chosen;
}

/** To use what exists, or to make roles and channels. */
async function expectRights(setup: Setup, bot: InServer, purpose: "use" | "make"): Promise<void> {
  const { ui } = setup;
  for (;;) {
    const { lacks } = await answered(setup, () => rolesOf(bot.access, bot));
    if (lacks[purpose].length === 0) return;
    const invite = await invitationOf(bot.applicationId, "make", bot.access.apiUrl);
    ui.refuse(`The bot lacks ${lacks[purpose].join(", ")} in the server: invite it again with ${invite}.`);
    await ui.wait("Open this, choose the server, and authorize.");
  }
}

/** An option that is no id. */
const fresh = "new";

async function supportRole(setup: Setup, bot: InServer): Promise<string> {
  const seen = await answered(setup, () => rolesOf(bot.access, bot));
  const usable = seen.roles.filter(({ fault }) => !/^role_(everyone|managed)$/.test(fault?.code ?? ""));
  const choice = await choose(setup, "DISCORD_SUPPORT_ROLE_ID", {
    asks: "The role of your support team, whose members may use staff commands",
    found: usable,
    likely: /support|staff|team|mod/i,
    makes: "Support",
  });
  return choice === fresh ? made(setup, bot, { name: "Support", use: "support" }) : choice;
}

type Choosing = { asks: string; found: { id: string; name: string }[]; likely: RegExp; makes: string };

function choose(
  setup: Setup,
  name: (typeof roles)[number] | (typeof channels)[number],
  { asks, found, likely, makes }: Choosing,
): Promise<string> {
  const present = given(setup, name);
  const alike = found.filter((one) => likely.test(one.name));
  const known = found.some(({ id }) => id === present) ? present : undefined;
  return setup.ui.choose({
    name,
    asks,
    options: [
      ...found.map((one) => ({ value: one.id, label: one.name })),
      { value: fresh, label: `A new one: ${makes}` },
    ],
    proposal: known ?? (alike.length === 1 ? alike[0]?.id : fresh),
  });
}

async function made(
  setup: Setup,
  bot: InServer,
  wanted: { name: string; use: "premium" | "support" },
): Promise<string> {
  await expectRights(setup, bot, "make");
  const { access, serverId } = bot;
  const role = await answered(setup, () => makeRole(access, { serverId, ...wanted }));
  setup.ui.proved(`The bot made the role ${role.name}.`);
  return role.id;
}

async function premiumRole(setup: Setup, bot: InServer & { supportRoleId: string }): Promise<string> {
  const { ui } = setup;
  const staffRoleIds = [bot.supportRoleId, given(setup, "DISCORD_OWNER_ROLE_ID")];
  const read = () => answered(setup, () => rolesOf(bot.access, { ...bot, staffRoleIds }));
  for (;;) {
    const seen = await read();
    const usable = seen.roles.filter(({ fault }) => fault === null || fault.code === "role_too_high");
    const name = productOf(setup);
    const choice = await choose(setup, "DISCORD_PREMIUM_ROLE_ID", {
      asks: "The role of customers with a licence",
      found: usable.filter(({ id }) => id !== bot.supportRoleId),
      likely: /premium|customer|licen[cs]ed/i,
      makes: name,
    });
    if (choice === fresh) return made(setup, bot, { name, use: "premium" });
    const fault = await faultOf(setup, { role: choice, read });
    if (fault === null) return choice;
    ui.refuse(fault);
  }
}

/** Why customers can't have a role: its place, which a person can change, or members who would lose it. */
async function faultOf(
  setup: Setup,
  { role, read }: { role: string; read: () => Promise<Pick<ServerSeen, "roles">> },
): Promise<string | null> {
  const { ui } = setup;
  const look = async () => (await read()).roles.find(({ id }) => id === role);
  let found = await look();
  if (found?.fault?.code === "role_too_high" && (await ui.wait(found.fault.sentence))) found = await look();
  if (!found) return "There is no such role in the server.";
  if (found.fault) return found.fault.sentence;
  const { members } = found;
  if (members === null || members === 0 || given(setup, "DISCORD_PREMIUM_ROLE_ID") === role) return null;
  await ui.ask({
    name: "ROLE_MEMBERS",
    asks: `${members} members hold it, and those without a licence here lose it. Type ${members} to confirm`,
    fault: (typed) => (typed === String(members) ? null : `It must be ${members}.`),
  });
  return null;
}

type Wanted = InServer & { supportRoleId: string; premiumRoleId: string; use: "support" | "staff" };

async function channel(setup: Setup, wanted: Wanted): Promise<string> {
  const { access, serverId, supportRoleId, premiumRoleId, use } = wanted;
  const { ui } = setup;
  const isForSupport = use === "support";
  const seen = await answered(setup, () => channelsOf(access, { serverId, premiumRoleId }));
  const choice = await choose(
    setup,
    isForSupport ? "DISCORD_SUPPORT_CHANNEL_ID" : "DISCORD_STAFF_CHANNEL_ID",
    {
      asks: isForSupport
        ? "The channel where customers open tickets"
        : "The channel where staff read notices, which nobody else sees",
      found: seen.channels.filter(({ faults }) => faults[use] === null),
      likely: isForSupport ? /support|help|ticket/i : /staff|team|mod/i,
      makes: `#${use}`,
    },
  );
  if (choice !== fresh) return choice;
  await expectRights(setup, wanted, "make");
  const wish = { serverId, name: use, use, supportRoleId };
  const newChannel = await answered(setup, () => makeChannel(access, wish));
  ui.proved(`The bot made the channel #${newChannel.name}.`);
  return newChannel.id;
}
