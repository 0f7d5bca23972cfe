import { z } from "zod";
import { ActionRefusal, action } from "../../actions";
import { addUser } from "../demo";
import { type Faults, faultChange } from "../faults";
import type { Gateway } from "../gateway/gateway";
import { privilegedIntents } from "../gateway/protocol";
import { channelFor, createChannel, deleteChannel, setOverwrite } from "../guild/channels";
import { tellMember, tellRole } from "../guild/happenings";
import { ban, giveRole, join, leave, takeRole, updateMember } from "../guild/members";
import { deleteMessage, edit, emptyDraft, messageFor, storeFile, write } from "../guild/messages";
import { type PermissionName, bits, permission } from "../guild/permissions";
import { changeThread } from "../guild/threads";
import { approve, judge, refuse } from "../oauth/request";
import type { Interaction, Member, User } from "../rows";
import { messageJson } from "../wire/messages";
import { iso, type World } from "../world";
import { type Patience, awaitAnswer } from "./answer";
import { channelOf, messageOf, personOf, roleOf } from "./find";
import { press, submit, useCommand } from "./interact";

const user = z.string();
const message = z.string();
const channel = z.string();
const content = z.string().max(4000);
const count = z.int().positive();
const seconds = z.number().nonnegative();
const roles = z.array(z.string()).default([]);
const permissions = z.array(z.enum(Object.keys(permission) as [PermissionName, ...PermissionName[]]));
const patience = {
  until: z.enum(["ack", "answer"]).default("answer"),
  timeout_ms: z.number().positive().max(60_000).default(10_000),
};
const file = z.object({
  filename: z.string(),
  content_type: z.string().optional(),
  content: z.string().optional(),
  base64: z.base64().optional(),
});

const botChange = z.object({
  /** Where the bot's role stands beside Premium. */
  role: z.enum(["above", "below"]).optional(),
  grant: permissions.default([]),
  deny: permissions.default([]),
  in_server: z.boolean().optional(),
  /** How long a moderator has timed the bot out; 0 ends it. */
  timed_out_seconds: seconds.optional(),
  intents: z.array(z.enum(privilegedIntents)).optional(),
});

export type DiscordActions = ReturnType<typeof discordActions>;

/** Everything that a test or a person at the page can bring about on Discord's side. */
export function discordActions(world: World, gateway: Gateway) {
  const person = (named: string) => personOf(world, named);
  const answerTo = (interaction: Interaction, given: Patience) => {
    world.store.save();
    return awaitAnswer(world, interaction.id, given);
  };
  return {
    "interact/slash": action(
      z.object({
        user,
        command: z.string(),
        subcommand: z.string().optional(),
        options: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
        channel: channel.default("general"),
        ...patience,
      }),
      (given) => answerTo(useCommand(world, given), given),
    ),
    "interact/button": action(
      z.object({
        user,
        message,
        custom_id: z.string().optional(),
        label: z.string().optional(),
        ...patience,
      }),
      (given) => answerTo(press(world, given), given),
    ),
    "interact/modal": action(
      z.object({
        user,
        interaction: z.string(),
        fields: z.record(z.string(), z.string()).default({}),
        ...patience,
      }),
      (given) => answerTo(submit(world, given), given),
    ),

    /** Changes what the developer portal has of the application. */
    application: action(z.object({ redirect_uris: z.array(z.url()) }), ({ redirect_uris }) => {
      world.redirectUris = redirect_uris;
      return { redirect_uris };
    }),

    messages: action(
      z.object({
        user,
        channel: channel.default("general"),
        content: content.default(""),
        files: z.array(file).max(10).default([]),
      }),
      (given) => {
        const author = person(given.user).id;
        const place = channelFor(world, author, channelOf(world, given.channel).id);
        const attachments = given.files.map((one) => storeFile(world, one));
        const draft = { ...emptyDraft, content: given.content, attachments };
        return messageJson(world, write(world, author, place, draft));
      },
    ),
    "messages/edit": action(z.object({ user, message, content }), (given) =>
      messageJson(
        world,
        edit(world, person(given.user).id, messageOf(world, given.message), { content: given.content }),
      ),
    ),
    "messages/delete": action(z.object({ user, message }), (given) => {
      const { id } = person(given.user);
      const found = messageOf(world, given.message);
      deleteMessage(world, id, messageFor(world, id, found.channel_id, found.id));
      return { deleted: found.id };
    }),

    threads: action(z.object({ user, thread: channel, archived: z.boolean() }), ({ archived, ...given }) => {
      const { id } = person(given.user);
      const thread = channelFor(world, id, channelOf(world, given.thread).id);
      return changeThread(world, id, thread, { archived });
    }),
    "channels/create": action(z.object({ name: z.string().min(1).max(100) }), ({ name }) =>
      createChannel(world, name),
    ),
    /** What a role (or `@everyone`) may do in one channel. */
    "channels/overwrite": action(
      z.object({
        channel,
        role: z.string(),
        allow: permissions.default([]),
        deny: permissions.default([]),
      }),
      ({ allow, deny, ...given }) => {
        const { id } = roleOf(world, given.role);
        const overwrite = {
          id,
          type: 0,
          allow: String(bits(...allow)),
          deny: String(bits(...deny)),
        } as const;
        return setOverwrite(world, channelOf(world, given.channel), overwrite);
      },
    ),
    /** A channel or a thread. */
    "channels/delete": action(z.object({ channel }), (given) => {
      const found = channelOf(world, given.channel);
      deleteChannel(world, world.known.ownerId, found);
      return found;
    }),

    members: action(
      z.object({
        username: z.string().min(2).max(32),
        global_name: z.string().max(32).nullable().default(null),
        join: z.boolean().default(true),
      }),
      (given) => newcomer(world, given),
    ),
    "members/rename": action(
      z.object({
        user,
        global_name: z.string().nullable().optional(),
        nick: z.string().nullable().optional(),
      }),
      (given) => rename(world, person(given.user), given),
    ),
    /** Many members at once, as if they had always been there: the gateway says nothing. */
    "seed-members": action(
      z.object({ count: count.max(200_000), prefix: z.string().default("member"), roles }),
      (given) => ({ members: seedMembers(world, given) }),
    ),
    join: action(z.object({ user }), (given) => join(world, person(given.user).id)),
    leave: action(z.object({ user }), (given) => {
      const gone = person(given.user);
      leave(world, gone.id);
      return gone;
    }),
    ban: action(z.object({ user }), (given) => {
      const banned = person(given.user);
      ban(world, banned.id);
      return banned;
    }),
    /** A role without any rights of its own. */
    "roles/create": action(z.object({ name: z.string().min(1).max(100) }), ({ name }) => {
      const role = {
        id: world.ids.snowflake(),
        name,
        position: world.store.roles.size(),
        color: 0,
        hoist: false,
        mentionable: false,
        managed_by: null,
        permissions: "0",
      };
      world.store.put("roles", role);
      tellRole(world, role.id, "CREATE");
      return role;
    }),
    /** Gives a role or takes it away; without `by`, the owner does. */
    roles: action(
      z.object({ user, role: z.string(), give: z.boolean().default(true), by: user.optional() }),
      ({ give, by = world.known.ownerId, ...given }) => {
        const change = give ? giveRole : takeRole;
        return change(world, person(by).id, person(given.user).id, roleOf(world, given.role).id);
      },
    ),
    /** Somebody follows a link to the authorize page and decides. Answers where they are sent. */
    authorize: action(z.object({ url: z.url(), user, approve: z.boolean().default(true) }), (given) => ({
      redirect: authorize(world, given),
    })),

    /** What the bot may do. */
    bot: action(botChange, (given) => changeBot(world, given)),
    gateway: action(
      z.object({
        do: z.enum(["cut", "invalidate"]),
        /** Of a cut: the close code; without one the connection breaks. */
        code: z.int().min(1000).max(4999).optional(),
        /** Of a cut: the sessions end too, so that they can't be resumed. */
        end: z.boolean().default(false),
      }),
      (given) => ({ connections: gateway[given.do](given) }),
    ),
    limits: action(
      z
        .object({
          enabled: z.boolean(),
          globalPerSecond: count,
          activeThreads: count,
          overrides: z.record(z.string(), z.object({ limit: count, windowMs: count })),
        })
        .partial(),
      (given) => Object.assign(world.limits, given),
    ),
    /** Sets the faults that are named and leaves the others. */
    faults: action(faultChange, (given): Faults => {
      Object.assign(world.faults.api, given.api);
      Object.assign(world.faults.gateway, given.gateway);
      if (given.gateway?.away) gateway.cut();
      return world.faults;
    }),
  };
}

function newcomer(
  world: World,
  given: { username: string; global_name: string | null; join: boolean },
): User {
  const { username, global_name } = given;
  if (world.store.users.all().some((one) => one.username === username))
    throw new ActionRefusal(`There is a ${username} already.`);
  const added = addUser(world.store, { id: world.ids.snowflake(), username, global_name, bot: false });
  if (given.join) join(world, added.id);
  return added;
}

function seedMembers(world: World, given: { count: number; prefix: string; roles: string[] }): User[] {
  const held = given.roles.map((role) => roleOf(world, role).id);
  const start = world.store.users.size();
  return Array.from({ length: given.count }, (_, index) => {
    const [id, username] = [world.ids.snowflake(), `${given.prefix}${start + index}`];
    const joined_at = iso(world.now());
    world.store.put("members", { id, nick: null, roles: held, joined_at, timed_out_until: null });
    return addUser(world.store, { id, username, global_name: null, bot: false });
  });
}

type Names = { global_name?: string | null | undefined; nick?: string | null | undefined };

function rename(world: World, before: User, { global_name = before.global_name, nick }: Names): User {
  const renamed = addUser(world.store, { ...before, global_name });
  const member = world.store.members.get(renamed.id);
  if (member && nick !== undefined) updateMember(world, renamed.id, { nick });
  else if (member) tellMember(world, "GUILD_MEMBER_UPDATE", member);
  return renamed;
}

type Authorize = { url: string; user: string; approve: boolean };

function authorize(world: World, { url, user: named, approve: yes }: Authorize): string {
  const judged = judge(world, Object.fromEntries(new URL(url).searchParams));
  if ("problem" in judged) throw new ActionRefusal(judged.problem);
  if ("redirect" in judged) return judged.redirect;
  const { request, scopes } = judged;
  if (!yes) return refuse(request, "access_denied");
  return approve(world, request, personOf(world, named).id, scopes);
}

function changeBot(world: World, given: z.output<typeof botChange>): { in_server: boolean } {
  const { botId, botRoleId, premiumRoleId } = world.known;
  const { store } = world;
  if (given.in_server === false && store.members.has(botId)) leave(world, botId);
  if (given.in_server === true) join(world, botId, [botRoleId]);
  if (given.timed_out_seconds !== undefined) timeOutBot(world, given.timed_out_seconds);
  const [own, premium] = [roleOf(world, botRoleId), roleOf(world, premiumRoleId)];
  if (given.role !== undefined && own.position > premium.position !== (given.role === "above")) {
    store.put("roles", { ...own, position: premium.position });
    store.put("roles", { ...premium, position: own.position });
    tellRole(world, premiumRoleId);
  }
  if (given.grant.length + given.deny.length > 0) {
    const held = roleOf(world, botRoleId);
    const rights = (BigInt(held.permissions) | bits(...given.grant)) & ~bits(...given.deny);
    store.put("roles", { ...held, permissions: String(rights) });
    tellRole(world, botRoleId);
  }
  if (given.intents) store.keep("intents", given.intents.join(","));
  return { in_server: store.members.has(botId) };
}

function timeOutBot(world: World, forSeconds: number): Member {
  const timed_out_until = forSeconds > 0 ? iso(world.now() + forSeconds * 1000) : null;
  return updateMember(world, world.known.botId, { timed_out_until });
}
