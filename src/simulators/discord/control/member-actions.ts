import { z } from "zod";
import { ActionRefusal, action } from "../../base/actions";
import { addUser } from "../demo";
import { dispatchMember, dispatchRole } from "../guild/dispatch";
import { ban, giveRole, join, leave, takeRole, updateMember } from "../guild/members";
import { bits, permissionNames } from "../guild/permissions";
import { blankRole, changeRole, deleteRole } from "../guild/roles";
import { addBot, checkInvitation } from "../oauth/invitation";
import { approve, checkAuthorization, refuse } from "../oauth/request";
import type { User } from "../rows";
import { iso, type World } from "../world";
import { personOf, roleOf } from "./find";

const user = z.string();
const roles = z.array(z.string()).default([]);

/** What people do: join, leave, get roles and authorize the application. */
export function memberActions(world: World) {
  const person = (named: string) => personOf(world, named);
  return {
    members: action(
      z.object({
        username: z.string().min(2).max(32),
        global_name: z.string().max(32).nullable().default(null),
        join: z.boolean().default(true),
        bot: z.boolean().default(false),
      }),
      (given) => createUser(world, given),
    ),
    "members/rename": action(
      z.object({
        user,
        global_name: z.string().nullable().optional(),
        nick: z.string().nullable().optional(),
      }),
      (given) => rename(world, person(given.user), given),
    ),
    /** Adds many members as if they had always been there, without gateway events. */
    "seed-members": action(
      z.object({ count: z.int().positive().max(200_000), prefix: z.string().default("member"), roles }),
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
    /** Creates a role at the top, by default without permissions of its own. */
    "roles/create": action(
      z.object({
        name: z.string().min(1).max(100),
        permissions: z.array(z.enum(permissionNames)).default([]),
      }),
      ({ name, permissions }) => {
        const role = {
          ...blankRole,
          id: world.ids.snowflake(),
          name,
          position: world.store.roles.size(),
          permissions: String(bits(...permissions)),
        };
        world.store.put("roles", role);
        dispatchRole(world, role.id, "CREATE");
        return role;
      },
    ),
    /** What a role may do in the server. */
    "roles/permissions": action(
      z.object({ role: z.string(), permissions: z.array(z.enum(permissionNames)) }),
      ({ role, permissions }) =>
        changeRole(world, roleOf(world, role), { permissions: String(bits(...permissions)) }),
    ),
    "roles/delete": action(z.object({ role: z.string() }), (given) => {
      const role = roleOf(world, given.role);
      deleteRole(world, role);
      return role;
    }),
    /** Gives a role or takes it away, by default as the server's owner. */
    roles: action(
      z.object({ user, role: z.string(), give: z.boolean().default(true), by: user.optional() }),
      ({ give, by = world.known.ownerId, ...given }) => {
        const change = give ? giveRole : takeRole;
        return change(world, person(by).id, person(given.user).id, roleOf(world, given.role).id);
      },
    ),
    /**
     * A person follows a link to the authorize page and decides. Answers with the URL to which Discord redirects them.
     */
    authorize: action(z.object({ url: z.url(), user, approve: z.boolean().default(true) }), (given) => ({
      redirect: authorize(world, given),
    })),
    /** The server's owner follows the link that invites the bot, and agrees. */
    invite: action(z.object({ url: z.url() }), ({ url }) => {
      const checked = checkInvitation(world, Object.fromEntries(new URL(url).searchParams));
      if ("problem" in checked) throw new ActionRefusal(checked.problem);
      return addBot(world, checked.permissions);
    }),
    /** Drags a role to a place of the list, counted from the bottom, where @everyone is 0. */
    "roles/drag": action(z.object({ role: z.string(), to: z.int().positive() }), ({ role, to }) => {
      const dragged = roleOf(world, role);
      const others = world.store.roles.all().filter(({ id }) => id !== dragged.id);
      const order = others.toSorted((a, b) => a.position - b.position).toSpliced(to, 0, dragged);
      for (const [position, one] of order.entries()) changeRole(world, one, { position });
      return { order: order.map(({ name }) => name) };
    }),
  };
}

function createUser(
  world: World,
  given: { username: string; global_name: string | null; join: boolean; bot: boolean },
): User {
  const { username, global_name, bot } = given;
  if (world.store.users.all().some((one) => one.username === username))
    throw new ActionRefusal(`There is a ${username} already.`);
  const added = addUser(world.store, { id: world.ids.snowflake(), username, global_name, bot });
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
  else if (member) dispatchMember(world, "GUILD_MEMBER_UPDATE", member);
  return renamed;
}

type Authorize = { url: string; user: string; approve: boolean };

function authorize(world: World, { url, user: named, approve: yes }: Authorize): string {
  const checked = checkAuthorization(world, Object.fromEntries(new URL(url).searchParams));
  if ("problem" in checked) throw new ActionRefusal(checked.problem);
  if ("redirect" in checked) return checked.redirect;
  const { request, scopes } = checked;
  if (!yes) return refuse(request, "access_denied");
  return approve(world, request, personOf(world, named).id, scopes);
}
