import { z } from "zod";
import { action } from "../../base/actions";
import { type Faults, faultChange } from "../faults";
import type { Gateway } from "../gateway/gateway";
import { privilegedIntents } from "../gateway/protocol";
import { dispatchRole } from "../guild/dispatch";
import { join, leave, updateMember } from "../guild/members";
import { bits, permissionNames } from "../guild/permissions";
import type { Member } from "../rows";
import { iso, type World } from "../world";
import { roleOf } from "./find";

const count = z.int().positive();
const permissions = z.array(z.enum(permissionNames));

const botChange = z.object({
  /** The position of the bot's role relative to Premium. */
  role: z.enum(["above", "below"]).optional(),
  grant: permissions.default([]),
  deny: permissions.default([]),
  in_server: z.boolean().optional(),
  /** How long a moderator has timed the bot out, in seconds; 0 ends it. */
  timed_out_seconds: z.number().nonnegative().optional(),
  intents: z.array(z.enum(privilegedIntents)).optional(),
});

/** The bot's rights, and the faults between it and Discord. */
export function botActions(world: World, gateway: Gateway) {
  return {
    /** Changes the bot's rights. */
    bot: action(botChange, (given) => changeBot(world, given)),
    gateway: action(
      z.object({
        do: z.enum(["cut", "invalidate"]),
        /** For `cut`: the close code; without a code the connection breaks. */
        code: z.int().min(1000).max(4999).optional(),
        /** For `cut`: also ends the sessions, so that the bot can't resume them. */
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
    /** Sets the given faults and leaves the others. */
    faults: action(faultChange, (given): Faults => {
      Object.assign(world.faults.api, given.api);
      Object.assign(world.faults.gateway, given.gateway);
      if (given.gateway?.away) gateway.cut();
      return world.faults;
    }),
  };
}

function changeBot(world: World, given: z.output<typeof botChange>): { in_server: boolean } {
  const { botId, botRoleId, premiumRoleId } = world.known;
  const { store } = world;
  if (given.in_server === false && store.members.has(botId)) leave(world, botId);
  if (given.in_server === true) join(world, botId, [botRoleId]);
  if (given.timed_out_seconds !== undefined) timeOutBot(world, given.timed_out_seconds);
  if (given.role !== undefined) {
    const [own, premium] = [roleOf(world, botRoleId), roleOf(world, premiumRoleId)];
    if (own.position > premium.position !== (given.role === "above")) {
      store.put("roles", { ...own, position: premium.position });
      store.put("roles", { ...premium, position: own.position });
      dispatchRole(world, premiumRoleId);
    }
  }
  if (given.grant.length + given.deny.length > 0) {
    const held = roleOf(world, botRoleId);
    const rights = (BigInt(held.permissions) | bits(...given.grant)) & ~bits(...given.deny);
    store.put("roles", { ...held, permissions: String(rights) });
    dispatchRole(world, botRoleId);
  }
  if (given.intents) store.keep("intents", given.intents.join(","));
  return { in_server: store.members.has(botId) };
}

function timeOutBot(world: World, forSeconds: number): Member {
  const timed_out_until = forSeconds > 0 ? iso(world.now() + forSeconds * 1000) : null;
  return updateMember(world, world.known.botId, { timed_out_until });
}
