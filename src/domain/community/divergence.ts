import type { Ctx } from "@/core/context";
import type { GuildMember } from "./guild";
import { remedy } from "./role";
import { standingOf } from "./links";

/** Whether what was seen of a member is not what should be, or not what is known of them. */
export async function isDivergent(ctx: Ctx, { userId, holdsRole }: GuildMember): Promise<boolean> {
  const standing = await standingOf(ctx, userId);
  const facts = { linked: standing !== null, entitled: standing?.entitled ?? false, member: true };
  if (remedy(facts, holdsRole)) return true;
  return standing !== null && (!standing.link.member || standing.link.holdsRole !== holdsRole);
}
