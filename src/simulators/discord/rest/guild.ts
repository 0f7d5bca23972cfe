import type { Context, Hono } from "hono";
import { z } from "zod";
import { invalidForm, refusals } from "../errors";
import { giveRole, join, memberOf, takeRole } from "../guild/members";
import { mustBeAllowed } from "../guild/permissions";
import { activeThreads, threadMemberJson } from "../wire/channels";
import { enabledIntents } from "../wire/messages";
import { memberJson, roleJson } from "../wire/people";
import type { World } from "../world";
import { botOf, liveGrant, mustBeGuild } from "./actor";
import { bodyOf, countParam, idParam } from "./form";

const newMember = z.object({ access_token: z.string() });

/** The server's roles, members and active threads. */
export function guildRoutes(world: World, api: Hono) {
  const enter = (c: Context): string => {
    const actor = botOf(world, c);
    // the page "Reference", under "Audit log": "1-512 URL-encoded UTF-8 characters"
    if ((c.req.header("X-Audit-Log-Reason") ?? "").length > 512)
      throw invalidForm(["reason"], "Must be 512 or fewer in length.", "BASE_TYPE_MAX_LENGTH");
    mustBeGuild(world, idParam(c, "guild"));
    if (!world.store.members.has(actor)) throw refusals.missingAccess();
    return actor;
  };

  api.get("/guilds/:guild/roles", (c) => {
    enter(c);
    return c.json(world.store.roles.all().map(roleJson));
  });
  api.get("/guilds/:guild/threads/active", (c) => {
    const actor = enter(c);
    const threads = activeThreads(world, actor);
    const own = threads.flatMap(({ id }) => world.store.threadMembers.get(`${id}:${actor}`) ?? []);
    return c.json({
      threads,
      members: own.map(threadMemberJson),
      has_more: false,
    });
  });

  api.get("/guilds/:guild/members", (c) => {
    enter(c);
    if (!enabledIntents(world).includes("members")) throw refusals.missingAccess();
    const limit = countParam(c, "limit", { least: 1, most: 1000, usual: 1 });
    const after = BigInt(c.req.query("after") ?? 0);
    const later = world.store.members.all().filter(({ id }) => BigInt(id) > after);
    const sorted = later.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
    return c.json(sorted.slice(0, limit).map((member) => memberJson(world, member)));
  });
  api.get("/guilds/:guild/members/:user", (c) => {
    enter(c);
    return c.json(memberJson(world, memberOf(world, idParam(c, "user"))));
  });
  api.put("/guilds/:guild/members/:user", async (c) => {
    const actor = enter(c);
    const user = idParam(c, "user");
    const { access_token } = await bodyOf(c, newMember);
    if (world.store.members.has(user)) return c.body(null, 204);
    mustBeAllowed(world, actor, ["CREATE_INSTANT_INVITE"]);
    const grant = liveGrant(world, access_token);
    if (!grant || grant.user !== user) throw refusals.invalidOAuthToken();
    if (!grant.scopes.includes("guilds.join")) throw refusals.missingScope();
    return c.json(memberJson(world, join(world, user)), 201);
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
