import { blankChannel } from "./guild/channels";
import { foundingId } from "./ids";
import { bits } from "./guild/permissions";
import type { Channel, DiscordStore, Role, User } from "./rows";

import { type Known, iso } from "./world";

/** The ids of the demo server, the same for the same seed. */
export function knownIds(seed: string): Known {
  const id = (n: number) => foundingId(seed, n);
  return {
    applicationId: id(1),
    botId: id(1),
    guildId: id(2),
    ownerId: id(3),
    botRoleId: id(4),
    premiumRoleId: id(5),
    supportRoleId: id(6),
    generalChannelId: id(7),
    supportChannelId: id(8),
    staffChannelId: id(9),
  };
}

const people = [
  { username: "olivia", name: "Olivia (owner)", inside: true, staff: false },
  { username: "sam", name: "Sam (support)", inside: true, staff: true },
  { username: "sue", name: "Sue (support)", inside: true, staff: true },
  { username: "ada", name: "Ada", inside: true, staff: false },
  { username: "dora", name: "Dora", inside: true, staff: false },
  { username: "mallory", name: "Mallory", inside: true, staff: false },
  { username: "tim", name: "Tim", inside: false, staff: false },
  { username: "rhea", name: "Rhea", inside: false, staff: false },
] as const;

const born = Date.UTC(2024, 0, 1);

/** Creates the server: three channels, its roles with the bot's above Premium, a few members. */
export function createServer(
  store: DiscordStore,
  seed: string,
  known: Known,
  names: { guild: string; bot: string },
) {
  store.keep("guild_name", names.guild);
  for (const role of roles(known)) store.put("roles", role);
  for (const channel of channels(known)) store.put("channels", channel);
  addUser(store, { id: known.botId, username: names.bot, global_name: null, bot: true });
  enter(store, known.botId, [known.botRoleId]);
  for (const [index, { username, name, inside, staff }] of people.entries()) {
    const id = index === 0 ? known.ownerId : foundingId(seed, 20 + index);
    addUser(store, { id, username, global_name: name, bot: false });
    if (inside) enter(store, id, staff ? [known.supportRoleId] : []);
  }
}

const memberRights = bits(
  "CREATE_INSTANT_INVITE",
  "ADD_REACTIONS",
  "VIEW_CHANNEL",
  "SEND_MESSAGES",
  "SEND_MESSAGES_IN_THREADS",
  "EMBED_LINKS",
  "ATTACH_FILES",
  "READ_MESSAGE_HISTORY",
  "CHANGE_NICKNAME",
  "USE_APPLICATION_COMMANDS",
);
const botRights =
  memberRights |
  bits(
    "MANAGE_ROLES",
    "MANAGE_MESSAGES",
    "MANAGE_THREADS",
    "CREATE_PUBLIC_THREADS",
    "CREATE_PRIVATE_THREADS",
    "VIEW_AUDIT_LOG",
    "PIN_MESSAGES",
    "MENTION_EVERYONE",
  );

function roles(known: Known): Role[] {
  const plain = { color: 0, hoist: false, mentionable: false, managed_by: null, permissions: "0" };
  return [
    { ...plain, id: known.guildId, name: "@everyone", position: 0, permissions: String(memberRights) },
    { ...plain, id: known.premiumRoleId, name: "Premium", position: 1, color: 0x7f74e2, hoist: true },
    {
      ...plain,
      id: known.botRoleId,
      name: "Shop",
      position: 2,
      managed_by: known.botId,
      permissions: String(botRights),
    },
    {
      ...plain,
      id: known.supportRoleId,
      name: "Support",
      position: 3,
      color: 0x2ecc71,
      hoist: true,
      mentionable: true,
      permissions: String(bits("MANAGE_MESSAGES", "MANAGE_THREADS", "KICK_MEMBERS", "MODERATE_MEMBERS")),
    },
  ];
}

function channels(known: Known): Channel[] {
  const see = String(bits("VIEW_CHANNEL", "SEND_MESSAGES"));
  const allow = (id: string, type: 0 | 1) => ({ id, type, allow: see, deny: "0" });
  const silent = String(bits("SEND_MESSAGES"));
  return [
    text(known.generalChannelId, "general", 0),
    {
      ...text(known.supportChannelId, "support", 1),
      topic: "Open a ticket here.",
      overwrites: [
        { id: known.guildId, type: 0, allow: "0", deny: silent },
        allow(known.supportRoleId, 0),
        allow(known.botId, 1),
      ],
    },
    {
      ...text(known.staffChannelId, "staff", 2),
      overwrites: [
        { id: known.guildId, type: 0, allow: "0", deny: String(bits("VIEW_CHANNEL")) },
        allow(known.supportRoleId, 0),
        allow(known.botId, 1),
      ],
    },
  ];
}

export function addUser(store: DiscordStore, user: User): User {
  return store.put("users", user);
}

const text = (id: string, name: string, position: number) => ({ ...blankChannel(id), name, position });

function enter(store: DiscordStore, id: string, given: string[]) {
  store.put("members", { id, nick: null, roles: given, joined_at: iso(born), timed_out_until: null });
}
