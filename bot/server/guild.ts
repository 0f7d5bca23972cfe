import { DiscordAPIError, type REST, Routes } from "discord.js";
import { z } from "zod";
import type { DiscordConfig } from "@/core/settings/config";
import { type Guild, GuildUnavailable, MembersHidden } from "@/domain/discord/guild";
import type { JoinObstacle } from "@/domain/schema/discord";
import { codeOf, discordCodes, isNotAMember, readAnswer, translate } from "../discord/rest";
import type { Circuits } from "./circuit";
import { roleFault } from "./level-role";
import { ownMember, roleSetting } from "./server-checks";

const pageSize = 1000;

const memberAnswer = z.object({ roles: z.array(z.string()) });
const listAnswer = z.array(z.object({ user: z.object({ id: z.string() }), roles: z.array(z.string()) }));

type Parts = { rest: REST; config: DiscordConfig; circuits: Circuits; stop: AbortSignal };
type Call<T> = (signal: AbortSignal) => Promise<T>;

/** The server over Discord's REST API, which works without the gateway. Every call passes the circuits. */
export function createGuild({ rest, config, circuits, stop }: Parts): Guild {
  const { guildId, supportRoleId, ownerRoleId } = config;
  const ended =
    <T>(call: Call<T>): Call<T> =>
    (signal) =>
      orStopped(stop, call(signal)).catch((error: unknown) => {
        throw translate(error);
      });
  const ask = <T>(userId: string | null, call: Call<T>): Promise<T> => circuits.call(userId, ended(call));
  const change =
    (method: "put" | "delete") =>
    async (userId: string, roleId: string, why: string): Promise<boolean> => {
      const path = Routes.guildMemberRole(guildId, userId, roleId);
      const reason = withinHeader(why);
      const made = ofMember((signal) => rest[method](path, { reason, signal }).then(() => true));
      return (await circuits.change(userId, roleId, ended(made))) !== null;
    };

  return {
    firstRoleId: config.premiumRoleId,
    // whatever an examination finds: a shop whose settings are wrong must not touch its staff
    may: (action, roleId) =>
      ![guildId, supportRoleId, ownerRoleId].includes(roleId) && circuits.may(action, roleId),
    async roles() {
      const own = await ask(null, () => ownMember(rest, guildId));
      const setting = roleSetting(own, config);
      return own.roles.map((role) => ({ id: role.id, name: role.name, fault: roleFault(role, setting) }));
    },
    async member(userId) {
      const path = Routes.guildMember(guildId, userId);
      const found = await ask(
        userId,
        ofMember(async (signal) =>
          readAnswer(memberAnswer, "GET /guilds/:id/members/:id", await rest.get(path, { signal })),
        ),
      );
      return found && { userId, roleIds: found.roles };
    },
    async grant(...asked) {
      // its rights may have grown while the shop didn't run; the job is tried again after the examination
      if (!circuits.areExamined()) throw new GuildUnavailable("roles are not examined yet");
      return change("put")(...asked);
    },
    take: change("delete"),
    join: (userId, accessToken) =>
      ask(userId, async (signal) => {
        const body = { access_token: accessToken };
        try {
          await rest.put(Routes.guildMember(guildId, userId), { body, signal });
          return null;
        } catch (error) {
          return obstacleIn(error);
        }
      }),
    async *members() {
      for (let after = "0"; ;) {
        const query = new URLSearchParams({ limit: String(pageSize), after });
        const page = await ask(null, (signal) =>
          rest.get(Routes.guildMembers(guildId), { query, signal }).catch(hidden),
        );
        const members = readAnswer(listAnswer, "GET /guilds/:id/members", page).map(({ user, roles }) => ({
          userId: user.id,
          roleIds: roles,
        }));
        yield members;
        const last = members.at(-1);
        if (!last || members.length < pageSize) return;
        after = last.userId;
      }
    },
  };
}

/** Discord takes 512 characters of a reason, counted as the header encodes them. */
const mostOfReason = 512;
function withinHeader(reason: string): string {
  const characters = [...reason.toWellFormed()];
  while (encodeURIComponent(characters.join("")).length > mostOfReason) characters.pop();
  return characters.join("");
}

/** Null when the user is not a member. */
const ofMember =
  <T>(call: Call<T>): Call<T | null> =>
  (signal) =>
    call(signal).catch((error: unknown) => {
      if (isNotAMember(error)) return null;
      throw error;
    });

/** Stopping doesn't wait for a bucket; the next reconciliation checks what was already sent. */
function orStopped<T>(stop: AbortSignal, call: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const cut = () => reject(new GuildUnavailable("stopping"));
  stop.addEventListener("abort", cut, { once: true });
  if (stop.aborted) cut();
  return Promise.race([call, promise]).finally(() => stop.removeEventListener("abort", cut));
}

/**
 * What keeps Discord from adding this user, who may still join on their own: an account that it locked or wants verified, a
 * token that ended, a bot that may not invite. Rethrows what is about the server or the bot.
 */
function obstacleIn(error: unknown): JoinObstacle {
  const code = codeOf(error);
  if (code === discordCodes.banned) return "banned";
  if (code === discordCodes.tooManyServers) return "too_many_servers";
  const isAboutUser = code !== null && code !== 0 && !(ofServer as readonly number[]).includes(code);
  if (isAboutUser && error instanceof DiscordAPIError && [400, 403].includes(error.status))
    return "not_allowed";
  throw error;
}

const ofServer = [discordCodes.unknownGuild, discordCodes.missingAccess, discordCodes.invalidBody] as const;

function hidden(error: unknown): never {
  throw codeOf(error) === discordCodes.missingAccess ? new MembersHidden() : error;
}
