import type { Actor } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { authorize } from "../permissions";
import type { Guild } from "./guild";
import { linkOfUser } from "./links";
import { reconcileMember } from "./reconcile-member";
import { type OwnRole, roleOfDiscordUser } from "./role-status";

type SyncOptions = { actor: Actor; /** On whose card staff asked, if on any. */ ticketId?: string };

/** Checks a member's role at Discord now. Resolves to the role's new status; throws what {@link Guild} throws. */
export async function syncRole(
  ctx: Ctx,
  guild: Guild,
  discordUserId: string,
  { actor, ticketId }: SyncOptions,
): Promise<OwnRole> {
  authorize(actor, "discord.sync_role");
  const accountId = (await linkOfUser(ctx, discordUserId))?.accountId ?? null;
  await commit(ctx.store, [
    ...(await reconcileMember(ctx, guild, discordUserId)),
    ...(ticketId === undefined
      ? []
      : [record(ctx, { actor, action: "ticket.role_resynced", subject: ticketId, accountId })]),
  ]);
  return roleOfDiscordUser(ctx, discordUserId);
}
