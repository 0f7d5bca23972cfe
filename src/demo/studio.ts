import { operator } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { ladderOf } from "@/domain/levels/list";
import { addOffer, allOffers } from "@/domain/offers/change";
import { addLevel } from "@/domain/offers/change-level";
import { pastOffers } from "./year/shop";
import { runAction } from "./simulators";

const by = { actor: operator, reason: "the demo's first start" };

/**
 * Sells a second level, with a feature that the example application asks for and, in the Discord simulator, a role of
 * its own. After an interruption, does the rest.
 */
export async function sellStudio(ctx: Ctx, { discordUrl }: { discordUrl: URL | null }): Promise<void> {
  const { id, name, amount, days, level } = pastOffers(ctx).studio;
  if ((await ladderOf(ctx)).every((one) => one.id !== level.id)) {
    const roleId = discordUrl && (await studioRole(discordUrl, level.name));
    // a new role has no members
    const judge = async () => ({ name: level.name, members: 0, losing: 0 });
    const terms = { includesBefore: true, features: ["export"], roleId, judge, takesRole: false };
    await addLevel(ctx, { ...level, ...terms }, by);
  }
  if ((await allOffers(ctx)).some((offer) => offer.id === id)) return;
  await addOffer(ctx, { id, name, amount, days, level: level.id }, by);
}

/** The role's id; it stands between Premium's and the bot's. */
async function studioRole(discordUrl: URL, name: string): Promise<string> {
  const answer = await fetch(new URL("/_control/state", discordUrl));
  const { roles } = (await answer.json()) as { roles: { id: string; name: string }[] };
  const known = roles.find((role) => role.name === name);
  const { id } = known ?? (await runAction(discordUrl, "roles/create", { name }));
  await runAction(discordUrl, "roles/drag", { role: name, to: 2 });
  return String(id);
}
