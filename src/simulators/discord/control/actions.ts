import { addUser } from "../demo";
import { channelFor, createChannel, deleteChannel, setOverwrite } from "../guild/channels";
import { storeFile } from "../guild/files";
import { tellMember } from "../guild/happenings";
import { ban, changeMember, giveRole, join, kick, leave, memberOf, takeRole, unban } from "../guild/members";
import { deleteMessage, edit, messageFor, write } from "../guild/messages";
import { emptyDraft } from "../guild/draft";
import { deleteRole } from "../guild/roles";
import { removeFromThread } from "../guild/thread-members";
import { changeThread } from "../guild/threads";
import { approve, refuse } from "../oauth/decide";
import { judge } from "../oauth/request";
import { revokeAll } from "../oauth/token";
import { bits } from "../permissions";
import type { Member, Message, User } from "../store/rows";
import { iso, type World } from "../world";
import { channelOf, ControlRefusal, messageOf, personOf, roleOf } from "./find";
import type { Body } from "./shapes";

/** What people do in the server by hand, and the owner for them where nobody is named. */

const by = (world: World, named: string | undefined, reason: string | null = null) => ({
  actor: named === undefined ? world.known.ownerId : personOf(world, named).id,
  reason,
});

export function newcomer(world: World, given: Body<"member">): User {
  if (world.store.users.all().some(({ username }) => username === given.username))
    throw new ControlRefusal(`There is a ${given.username} already.`);
  const { username, global_name, avatar } = given;
  const user = addUser(world.store, { id: world.ids.snowflake(), username, global_name, avatar, bot: false });
  const roles = given.roles.map((role) => roleOf(world, role).id);
  if (given.join) join(world, user.id, { roles });
  return user;
}

/** Many members at once, as if they had always been there; `announce` tells the gateway of each. */
export function seedMembers(world: World, given: Body<"seed">): User[] {
  const roles = given.roles.map((role) => roleOf(world, role).id);
  const start = world.store.users.size();
  return Array.from({ length: given.count }, (_, index) => {
    const username = `${given.prefix}${start + index}`;
    const user = addUser(world.store, {
      id: world.ids.snowflake(),
      username,
      global_name: null,
      avatar: null,
      bot: false,
    });
    if (given.announce) join(world, user.id, { roles });
    else
      world.store.put("members", {
        id: user.id,
        nick: null,
        roles,
        joined_at: iso(world.now()),
        timed_out_until: null,
      });
    return user;
  });
}

export function comeIn(world: World, { user }: Body<"one">): Member {
  return join(world, personOf(world, user).id);
}

export function goAway(world: World, { user }: Body<"one">): User {
  const person = personOf(world, user);
  leave(world, person.id);
  return person;
}

export function remove(world: World, how: "kick" | "ban" | "unban", given: Body<"removal">): User {
  const person = personOf(world, given.user);
  const deeds = { kick, ban, unban };
  deeds[how](world, by(world, given.by, given.reason ?? null), person.id);
  return person;
}

/** A person changes names or picture, on the server or everywhere. */
export function rename(world: World, given: Body<"rename">): User {
  const person = personOf(world, given.user);
  const { username, global_name, avatar, nick } = given;
  const user = world.store.put("users", {
    ...person,
    ...(username !== undefined && { username }),
    ...(global_name !== undefined && { global_name }),
    ...(avatar !== undefined && { avatar }),
  });
  const member = world.store.members.get(user.id);
  if (member && nick !== undefined) changeMember(world, by(world, user.id), user.id, { nick });
  else if (member) tellMember(world, "GUILD_MEMBER_UPDATE", member);
  return user;
}

export function changeRoles(world: World, given: Body<"role">): Member {
  const [user, role] = [personOf(world, given.user).id, roleOf(world, given.role).id];
  (given.give ? giveRole : takeRole)(world, by(world, given.by), user, role);
  return memberOf(world, user);
}

export function removeRole(world: World, { role }: { role: string }) {
  const found = roleOf(world, role);
  deleteRole(world, by(world, undefined), found.id);
  return found;
}

export function say(world: World, given: Body<"write">): Message {
  const user = personOf(world, given.user).id;
  const channel = channelFor(world, user, channelOf(world, given.channel).id);
  const attachments = given.files.map((file) => storeFile(world, file));
  const { content, reply_to } = given;
  return write(world, user, channel, { ...emptyDraft, content, reply_to, attachments });
}

export function sayOtherwise(world: World, given: Body<"edit">): Message {
  const user = personOf(world, given.user).id;
  return edit(world, user, messageOf(world, given.message), { content: given.content });
}

export function unsay(world: World, given: Body<"erase">): Message {
  const user = personOf(world, given.user).id;
  const message = messageOf(world, given.message);
  deleteMessage(world, by(world, user), messageFor(world, user, message.channel_id, message.id));
  return message;
}

export function tendThread(world: World, given: Body<"thread">) {
  const user = personOf(world, given.user).id;
  const thread = channelFor(world, user, channelOf(world, given.thread).id);
  const { archived, locked, name } = given;
  if (archived !== undefined || locked !== undefined || name !== undefined)
    changeThread(world, by(world, user), thread, { archived, locked, name });
  if (given.leave) removeFromThread(world, thread, user);
  return world.store.channels.get(thread.id) ?? thread;
}

export function removeChannel(world: World, given: Body<"place">) {
  const channel = channelOf(world, given.channel);
  deleteChannel(world, by(world, given.by), channel);
  return channel;
}

export function addChannel(world: World, { name }: Body<"newPlace">) {
  return createChannel(world, by(world, undefined), 0, { name });
}

export function overwrite(world: World, given: Body<"overwrite">) {
  const channel = channelOf(world, given.channel);
  const { id } = roleOf(world, given.role);
  const [allow, deny] = [given.allow, given.deny].map((names) => String(bits(...names)));
  setOverwrite(world, by(world, undefined), channel, {
    id,
    overwrite: { id, type: 0, allow: allow ?? "0", deny: deny ?? "0" },
  });
  return world.store.channels.get(channel.id) ?? channel;
}

/** A person follows a link to the authorize page and decides; tells where they are sent. */
export function authorize(world: World, { url, user, approve: yes }: Body<"authorize">) {
  const judged = judge(world, Object.fromEntries(new URL(url).searchParams));
  if ("problem" in judged) throw new ControlRefusal(judged.problem);
  const { request, refusal, scopes } = judged;
  if (refusal !== null || !yes) return { redirect: refuse(request, refusal ?? "access_denied") };
  return { redirect: approve(world, request, personOf(world, user).id, scopes) };
}

/** A person takes the application out of their account, in Discord's own settings. */
export function deauthorize(world: World, { user }: Body<"one">): User {
  const person = personOf(world, user);
  revokeAll(world, person.id);
  return person;
}

export function closeDirect(world: World, given: Body<"dm">): User {
  const person = personOf(world, given.user);
  world.store.keep(`dm_closed:${person.id}`, given.open ? "no" : "yes");
  return person;
}
