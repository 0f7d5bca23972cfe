import { and, eq } from "drizzle-orm";
import { brand } from "@/brand/brand";
import { theShop } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import type { Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { reasonOf } from "@/core/log/log";
import { type JoinObstacle, links } from "../schema/discord";
import type { Guild, GuildMember } from "./guild";
import { type Link, type LinkState, linkStateOf } from "./links";
import { remedy } from "./role";
import { unsealTokens } from "./sign-on";

/**
 * Compares the member at Discord with the desired state, and changes the difference there. Resolves to the writes that
 * update the link. Safe to repeat. Throws what {@link Guild} throws.
 */
export async function reconcileMember(ctx: Ctx, guild: Guild, userId: string): Promise<Write[]> {
  const found = await linkStateOf(ctx, userId);
  const before = await guild.member(userId);
  const joined = before || !found?.link.joinWanted ? null : await tryToJoin(ctx, guild, found.link);
  const member = joined?.member ?? before;
  const holdsRole = await settleRole(ctx, guild, found, member);
  return resultWrites(ctx, { userId, found, before: member?.holdsRole ?? false, after: holdsRole, joined });
}

type JoinResult = { member: GuildMember | null; obstacle: JoinObstacle | null };

async function tryToJoin(ctx: Ctx, guild: Guild, link: Link): Promise<JoinResult> {
  if (!link.tokensSealed) return { member: null, obstacle: "not_allowed" };
  const { access } = unsealTokens(ctx, link.tokensSealed, `link:${link.accountId}`);
  const obstacle = await guild.join(link.discordUserId, access);
  return { obstacle, member: obstacle ? null : { userId: link.discordUserId, holdsRole: false } };
}

/** Resolves to whether the member holds the role afterwards; null if the user is not a member. */
async function settleRole(
  ctx: Ctx,
  guild: Guild,
  found: LinkState | null,
  member: GuildMember | null,
): Promise<boolean | null> {
  if (!member) return null;
  const facts = { linked: found !== null, entitled: found?.entitled ?? false, member: true };
  const action = remedy(facts, member.holdsRole);
  if (!action) return member.holdsRole;
  const why = action === "grant" ? `has ${brand.premium.name}` : `no active ${brand.premium.name} license`;
  const line = {
    ...(found ? { account: found.link.accountId } : {}),
    wanted: action === "grant" ? "role" : "no role",
    found: member.holdsRole ? "role" : "no role",
    reason: found ? why : "not linked",
  };
  try {
    const stillMember = await guild[action](member.userId, why);
    ctx.log.info("a member's role was changed", {
      ...line,
      outcome: stillMember ? "done" : "left the server",
    });
    return stillMember ? action === "grant" : null;
  } catch (error) {
    ctx.log.warn("a member's role could not be changed", { ...line, outcome: reasonOf(error) });
    throw error;
  }
}

type Result = {
  userId: string;
  found: LinkState | null;
  before: boolean;
  /** Null if the user is not a member. */
  after: boolean | null;
  joined: JoinResult | null;
};

function resultWrites(ctx: Ctx, { userId, found, before, after, joined }: Result): Write[] {
  const writes: Write[] = [];
  if (found) writes.push(linkUpdate(ctx, found.link, { after, joined }));
  if (after !== null && before !== after) {
    const accountId = found?.link.accountId ?? null;
    const action = after ? "discord.role_granted" : "discord.role_taken";
    // the audit log outlives accounts, and must not name a Discord user without one
    const subject = accountId ? userId : "an unlinked member";
    writes.push(record(ctx, { actor: theShop, action, subject, accountId }));
  }
  return writes;
}

/** Updates only the link that was read: a link made meanwhile gets its own reconciliation. */
const linkUpdate = (ctx: Ctx, link: Link, { after, joined }: Pick<Result, "after" | "joined">): Write =>
  ctx.store.db
    .update(links)
    .set({
      member: after !== null,
      holdsRole: after ?? false,
      checkedAt: ctx.now(),
      joinWanted: false,
      ...(joined ? { joinObstacle: joined.obstacle } : after === null ? {} : { joinObstacle: null }),
    })
    .where(
      and(
        eq(links.discordUserId, link.discordUserId),
        eq(links.accountId, link.accountId),
        eq(links.linkedAt, link.linkedAt),
      ),
    );
