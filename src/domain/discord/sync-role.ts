import type { Actor } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { authorize } from "../permissions";
import { linkOfUser } from "./links";
import { type OwnRole, roleOfDiscordUser } from "./role-status";

type SyncOptions = { actor: Actor; /** On whose card staff asked, if on any. */ ticketId?: string };

/** Checks a member's role at Discord now. Resolves to the role's new status; throws what `reconcile` throws. */
export async function syncRole(
  ctx: Ctx,
  reconcile: (userId: string) => Promise<void>,
  discordUserId: string,
  { actor, ticketId }: SyncOptions,
): Promise<OwnRole> {
  authorize(actor, "discord.sync_role");
  const accountId = (await linkOfUser(ctx, discordUserId))?.accountId ?? null;
  await reconcile(discordUserId);
  if (ticketId !== undefined)
    await commit(ctx.store, [
      record(ctx, { actor, action: "ticket.role_resynced", subject: ticketId, accountId }),
    ]);
  return roleOfDiscordUser(ctx, discordUserId);
}
