import { type APIGuildMember, type REST, Routes } from "discord.js";
import type { DiscordConfig } from "@/core/config";
import { type Guild, GuildUnavailable, type JoinObstacle, MembersHidden } from "@/domain/community/guild";
import { bucketOf, type Buckets } from "@/gateways/discord/buckets";
import { codeOf, discordCodes, isNotAMember, translate } from "../rest";
import { watchWays } from "./ways";
import type { Circuit } from "./circuit";

const pageSize = 1000;
/** A change waits no longer than this for a bucket; its job is put back with a delay instead. */
const longestWaitMilliseconds = 45_000;

type Parts = { rest: REST; buckets: Buckets; config: DiscordConfig; circuit: Circuit; stop: AbortSignal };

/**
 * The server over Discord's REST API, which works with the gateway down. Every call passes the circuit.
 * Roles are written one by one; when that bucket is exhausted and the members' own is free, a change goes
 * there instead, with the member's roles read a moment before, so that many of them take half the time.
 */
export function createGuild({ rest, buckets, config, circuit, stop }: Parts): Guild {
  const { guildId, premiumRoleId } = config;
  // whose role it is makes no difference to a bucket
  const ofAnybody = Routes.guildMemberRole(guildId, guildId, premiumRoleId);
  const ways = watchWays(buckets, {
    PUT: bucketOf("PUT", ofAnybody),
    DELETE: bucketOf("DELETE", ofAnybody),
    PATCH: bucketOf("PATCH", Routes.guildMember(guildId, guildId)),
  });
  const ask = <T>(call: () => Promise<T>): Promise<T> =>
    circuit.pass(() =>
      orStopped(stop, call()).catch((error: unknown) => {
        throw translate(error);
      }),
    );
  const ofMember = <T>(call: () => Promise<T>): Promise<T | null> =>
    ask(() =>
      call().catch((error: unknown) => {
        if (isNotAMember(error)) return null;
        throw error;
      }),
    );

  // Discord's answer to this call: https://discord.com/developers/docs/resources/guild#get-guild-member
  const rolesOf = async (userId: string): Promise<string[]> =>
    ((await rest.get(Routes.guildMember(guildId, userId))) as APIGuildMember).roles;

  const read = async (userId: string) => {
    const roles = await ofMember(() => rolesOf(userId));
    return roles && { userId, holdsRole: roles.includes(premiumRoleId) };
  };

  const changeOne = (method: "PUT" | "DELETE", userId: string, reason: string) => {
    const path = Routes.guildMemberRole(guildId, userId, premiumRoleId);
    const write = () => (method === "PUT" ? rest.put(path, { reason }) : rest.delete(path, { reason }));
    return ofMember(() => ways.during(method, () => write().then(() => true)));
  };
  const changeAll = (method: "PUT" | "DELETE", userId: string, reason: string) =>
    ofMember(() =>
      ways.during("PATCH", async () => {
        const others = (await rolesOf(userId)).filter((role) => role !== premiumRoleId);
        const roles = method === "PUT" ? [...others, premiumRoleId] : others;
        await rest.patch(Routes.guildMember(guildId, userId), { body: { roles }, reason });
        return true;
      }),
    );

  const change = async (method: "PUT" | "DELETE", userId: string, reason: string): Promise<boolean> => {
    const giveUpAt = performance.now() + longestWaitMilliseconds;
    while (performance.now() < giveUpAt && !stop.aborted) {
      if (ways.isFree(method)) return (await changeOne(method, userId, reason)) !== null;
      if (ways.isFree("PATCH")) return (await changeAll(method, userId, reason)) !== null;
      await orStopped(stop, ways.untilFree([method, "PATCH"]));
    }
    throw new GuildUnavailable("too many others are waiting");
  };

  return {
    member: read,
    grant: (userId, why) => change("PUT", userId, why),
    take: (userId, why) => change("DELETE", userId, why),
    join: (userId, accessToken) =>
      ask(async () => {
        const body = { access_token: accessToken };
        try {
          await rest.put(Routes.guildMember(guildId, userId), { body });
          return null;
        } catch (error) {
          return obstacleIn(error);
        }
      }),
    async *members() {
      for (let after = "0"; ;) {
        const query = new URLSearchParams({ limit: String(pageSize), after });
        const page = await ask(() => rest.get(Routes.guildMembers(guildId), { query }).catch(hidden));
        const members = (page as APIGuildMember[]).map(({ user, roles }) => ({
          userId: user.id,
          holdsRole: roles.includes(premiumRoleId),
        }));
        yield members;
        const last = members.at(-1);
        if (!last || members.length < pageSize) return;
        after = last.userId;
      }
    },
  };
}

/** Who stops doesn't wait for a bucket; what was sent is looked at again by whoever comes next. */
function orStopped<T>(stop: AbortSignal, call: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const cut = () => reject(new GuildUnavailable("stopping"));
  stop.addEventListener("abort", cut, { once: true });
  if (stop.aborted) cut();
  return Promise.race([call, promise]).finally(() => stop.removeEventListener("abort", cut));
}

/** Only what is about the user; anything else is thrown on. */
function obstacleIn(error: unknown): JoinObstacle {
  const code = codeOf(error);
  if (code === discordCodes.banned) return "banned";
  if (code === discordCodes.tooManyServers) return "too_many_servers";
  // the token has ended, or the bot may not invite: they can still join by themselves
  const notAllowed: (number | null)[] = [discordCodes.invalidToken, discordCodes.missingPermissions];
  if (notAllowed.includes(code)) return "not_allowed";
  throw error;
}

function hidden(error: unknown): never {
  throw codeOf(error) === discordCodes.missingAccess ? new MembersHidden() : error;
}
