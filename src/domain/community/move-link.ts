import { eq } from "drizzle-orm";
import { commit, isDuplicate } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { isConflict, Refusal } from "@/core/refusal";
import { linkOf, tieWrites, unlinkWrites } from "./change-link";
import { links } from "../schema/community";

type Move = {
  accountId: string;
  discordUserId: string;
  displayName: string | null;
  actor: string;
  reason: string;
  /**
   * What must not be connected to another already: the move refuses with `discord_taken` where it is.
   * Without it, whatever either side was connected to before loses the role.
   */
  spare?: "account" | "user";
};

/** Staff move a link: the account belongs to this Discord user from now on. */
export async function moveLink(ctx: Ctx, { spare, ...wanted }: Move): Promise<void> {
  const { accountId, discordUserId, actor, reason } = wanted;
  for (;;) {
    const [holder] = await ctx.store.db.select().from(links).where(eq(links.discordUserId, discordUserId));
    const taken = holder && holder.accountId !== accountId ? holder : null;
    const former = await linkOf(ctx, accountId);
    if (spare === "user" && taken) throw new Refusal("discord_taken");
    if (spare === "account" && former && former.discordUserId !== discordUserId) {
      throw new Refusal("discord_taken");
    }
    try {
      await commit(ctx.store, [
        ...(taken ? await unlinkWrites(ctx, taken.accountId, { actor, reason }) : []),
        ...(await tieWrites(ctx, accountId, { ...wanted, tokens: null })),
      ]);
      ctx.wake();
      return;
    } catch (error) {
      if (!isConflict(error) && !isDuplicate(error, "links.discord_user_id")) throw error;
    }
  }
}

/** Staff end a link: the role goes, the tokens at Discord end. Refuses with `link_unknown`. */
export async function removeLink(
  ctx: Ctx,
  accountId: string,
  by: { actor: string; reason: string },
): Promise<void> {
  const writes = await unlinkWrites(ctx, accountId, by);
  if (writes.length === 0) throw new Refusal("link_unknown");
  await commit(ctx.store, writes);
  ctx.wake();
}
