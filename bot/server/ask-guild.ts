import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import type { DiscordConfig } from "@/core/settings/config";
import type { Guild } from "@/domain/discord/guild";
import { judgeRole } from "@/domain/discord/level-roles";
import type { JudgeRole } from "@/domain/offers/change-level";
import { closeRest, createRest } from "../discord/rest";
import { createCircuits } from "./circuit";
import { createGuild } from "./guild";

type AskingShop = { ctx: Ctx; config: { discord: DiscordConfig | "off" | null } };

/** Asks the server something for an owner, in whatever process. Refuses with `discord_off`. */
export async function askGuild<T>(
  { ctx, config: { discord: config } }: AskingShop,
  ask: (guild: Guild) => Promise<T>,
): Promise<T> {
  if (config === "off" || !config) throw new Refusal("discord_off");
  const { signal } = new AbortController();
  const rest = createRest(config, ctx.log, { ended: signal });
  const nobody = { opened() {}, recovered() {} };
  const circuits = createCircuits(() => ctx.now().getTime(), config.premiumRoleId, nobody);
  try {
    return await ask(createGuild({ rest, config, circuits, stop: signal }));
  } finally {
    closeRest(rest);
  }
}

/** What it would do if a level gave a role, as the server says. */
export const roleJudge =
  (shop: AskingShop): JudgeRole =>
  (roleId, level) =>
    askGuild(shop, (guild) => judgeRole(shop.ctx, guild, roleId, { for: level }));
