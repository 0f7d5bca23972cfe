import type { RoleEffect } from "@/contract/vocabulary/level-words";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import type { DiscordConfig } from "@/core/settings/config";
import { judgeRole } from "@/domain/discord/level-roles";
import type { JudgeRole } from "@/domain/offers/change-level";
import { closeRest, createRest } from "../discord/rest";
import { createCircuits } from "./circuit";
import { createGuild } from "./guild";

type AskingShop = { ctx: Ctx; config: { discord: DiscordConfig | "off" | null } };

/** What it would do if a level gave a role, in whatever process an owner asks. Refuses with `discord_off`, and as {@link judgeRole}. */
export async function askGuild(
  { ctx, config: { discord: config } }: AskingShop,
  ...[roleId, level]: Parameters<JudgeRole>
): Promise<RoleEffect> {
  if (config === "off" || !config) throw new Refusal("discord_off");
  const { signal } = new AbortController();
  const rest = createRest(config, ctx.log, { ended: signal });
  const nobody = { opened() {}, recovered() {} };
  const circuits = createCircuits(() => ctx.now().getTime(), config.premiumRoleId, nobody);
  try {
    return await judgeRole(ctx, createGuild({ rest, config, circuits, stop: signal }), roleId, level);
  } finally {
    closeRest(rest);
  }
}
