import type { Ctx } from "@/core/context";
import type { GuildMember } from "./guild";
import { remedy } from "./role";
import { linkStateOf } from "./links";

/** Whether what was seen of a member is not what should be, or not what is known of them. */
export async function isDivergent(ctx: Ctx, { userId, holdsRole }: GuildMember): Promise<boolean> {
  const state = await linkStateOf(ctx, userId);
  const facts = { linked: state !== null, entitled: state?.entitled ?? false, member: true };
  if (remedy(facts, holdsRole)) return true;
  return state !== null && (!state.link.member || state.link.holdsRole !== holdsRole);
}
