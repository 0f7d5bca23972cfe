import { type APIGuildMember, type APIRole, type APIUser, type REST, Routes } from "discord.js";
import { z } from "zod";
import { readAnswer } from "../discord/answers";

const rolesAnswer = z.array(z.looseObject({ id: z.string(), permissions: z.string(), position: z.number() }));
const memberAnswer = z.looseObject({
  roles: z.array(z.string()),
  user: z.looseObject({ id: z.string() }),
});

export type OwnMember = { roles: APIRole[]; me: APIGuildMember };

/** The server's roles and the bot's own membership. Throws `UnlikeDiscord` where what the checks need is missing. */
export async function ownMember(rest: REST, guildId: string): Promise<OwnMember> {
  const user = (await rest.get(Routes.user())) as APIUser;
  const roles = await rest.get(Routes.guildRoles(guildId));
  const me = await rest.get(Routes.guildMember(guildId, user.id));
  // what the checks read is parsed; the rest is Discord's own answer
  return {
    roles: readAnswer(rolesAnswer, "GET /guilds/:id/roles", roles) as unknown as APIRole[],
    me: readAnswer(memberAnswer, "GET /guilds/:id/members/:id", me) as unknown as APIGuildMember,
  };
}
