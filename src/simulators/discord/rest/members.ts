import type { Context, Hono } from "hono";
import { z } from "zod";
import { invalidForm, refusals } from "../errors";
import { startsWith } from "../gateway/members-request";
import { type By, changeMember, giveRole, join, kick, memberOf, takeRole } from "../guild/members";
import { mustBeAllowed, ranksAboveRole } from "../guild/standing";
import { memberJson } from "../wire/people";
import { enabledIntents } from "../wire/messages";
import type { World } from "../world";
import { botOf, liveGrant, mustBeGuild } from "./actor";
import { bodyOf, idParam } from "./form";

const ids = z.array(z.string().regex(/^\d{1,20}$/));
const memberChange = z.object({
  nick: z.string().max(32).nullish(),
  roles: ids.nullish(),
  communication_disabled_until: z.iso.datetime({ offset: true }).nullish(),
});
const newMember = z.object({
  access_token: z.string(),
  nick: z.string().max(32).nullish(),
  roles: ids.nullish(),
});

/** Members of the server, and their roles. */
export function memberRoutes(world: World, api: Hono) {
  const enter = (c: Context): By => {
    const by = botOf(world, c);
    mustBeGuild(world, idParam(c, "guild"));
    if (!world.store.members.has(by.actor)) throw refusals.missingAccess();
    return by;
  };

  api.get("/guilds/:guild/members", (c) => {
    enter(c);
    // Without the privileged intent nobody may list them.
    if (!enabledIntents(world).includes("members")) throw refusals.missingAccess();
    const limit = countParam(c, "limit", { least: 1, most: 1000, usual: 1 });
    const after = BigInt(c.req.query("after") ?? 0);
    const later = world.store.members.all().filter(({ id }) => BigInt(id) > after);
    const sorted = later.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
    return c.json(sorted.slice(0, limit).map((member) => memberJson(world, member)));
  });
  api.get("/guilds/:guild/members/search", (c) => {
    enter(c);
    const limit = countParam(c, "limit", { least: 1, most: 1000, usual: 1 });
    const found = world.store.members.all().filter(startsWith(world, c.req.query("query") ?? ""));
    return c.json(found.slice(0, limit).map((member) => memberJson(world, member)));
  });
  api.patch("/guilds/:guild/members/@me", async (c) => {
    const by = enter(c);
    const { nick } = await bodyOf(c, memberChange.pick({ nick: true }));
    return c.json(memberJson(world, changeMember(world, by, by.actor, { nick })));
  });
  api.get("/guilds/:guild/members/:user", (c) => {
    enter(c);
    return c.json(memberJson(world, memberOf(world, idParam(c, "user"))));
  });
  api.put("/guilds/:guild/members/:user", async (c) => {
    const by = enter(c);
    const user = idParam(c, "user");
    const wanted = await bodyOf(c, newMember);
    if (world.store.members.has(user)) return c.body(null, 204);
    mustMayAdd(world, by, user, wanted);
    const given = { nick: wanted.nick ?? null, roles: wanted.roles ?? [] };
    return c.json(memberJson(world, join(world, user, given)), 201);
  });
  api.patch("/guilds/:guild/members/:user", async (c) => {
    const by = enter(c);
    const user = idParam(c, "user");
    return c.json(memberJson(world, changeMember(world, by, user, await bodyOf(c, memberChange))));
  });
  api.delete("/guilds/:guild/members/:user", (c) => {
    kick(world, enter(c), idParam(c, "user"));
    return c.body(null, 204);
  });
  api.put("/guilds/:guild/members/:user/roles/:role", (c) => {
    giveRole(world, enter(c), idParam(c, "user"), idParam(c, "role"));
    return c.body(null, 204);
  });
  api.delete("/guilds/:guild/members/:user/roles/:role", (c) => {
    takeRole(world, enter(c), idParam(c, "user"), idParam(c, "role"));
    return c.body(null, 204);
  });
}

/** Joining somebody needs what they granted, and every right for what they are given along. */
function mustMayAdd(world: World, { actor }: By, user: string, wanted: z.infer<typeof newMember>) {
  mustBeAllowed(world, actor, ["CREATE_INSTANT_INVITE"]);
  const grant = liveGrant(world, wanted.access_token);
  if (!grant || grant.user !== user) throw refusals.invalidOAuthToken();
  if (!grant.scopes.includes("guilds.join")) throw refusals.missingScope();
  if (wanted.nick) mustBeAllowed(world, actor, ["MANAGE_NICKNAMES"]);
  if (!wanted.roles?.length) return;
  mustBeAllowed(world, actor, ["MANAGE_ROLES"]);
  for (const id of wanted.roles) {
    const role = world.store.roles.get(id);
    if (!role) throw refusals.unknownRole();
    if (role.managed_by !== null || !ranksAboveRole(world, actor, role)) throw refusals.missingPermissions();
  }
}

type Range = { least: number; most: number; usual: number };

export function countParam(c: Context, name: string, { least, most, usual }: Range): number {
  const given = Number(c.req.query(name) ?? usual);
  if (Number.isInteger(given) && given >= least && given <= most) return given;
  throw invalidForm(name, "NUMBER_TYPE_MAX", `int value should be between ${least} and ${most}.`);
}
