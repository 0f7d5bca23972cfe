import { and, eq } from "drizzle-orm";
import { brand } from "@/brand/brand";
import { audit } from "@/core/audit";
import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import type { Handlers } from "@/core/outbox";
import type { JoinObstacle } from "../schema/community";
import type { Guild, GuildMember } from "./guild";
import { remedy } from "./role";
import { type Link, type LinkState, linkStateOf } from "./links";
import { links } from "../schema/community";
import { openTokens } from "./tokens";

/** How the outbox brings one Discord user's role to what it should be. */
export const reconciliations = (ctx: Ctx, guild: Guild): Handlers => ({
  "member.reconcile": ({ subject }) => reconcile(ctx, guild, subject),
});

/**
 * Looks at what is and what should be, and writes the difference at Discord. Resolves to what is then
 * known of the link, to be committed. Safe to repeat. Throws what {@link Guild} throws.
 */
export async function reconcile(ctx: Ctx, guild: Guild, userId: string): Promise<Write[]> {
  const state = await linkStateOf(ctx, userId);
  const before = await guild.member(userId);
  const joined = before || !state?.link.joinWanted ? null : await tryToJoin(ctx, guild, state.link);
  const member = joined?.member ?? before;
  const holdsRole = await settleRole(guild, state, member);
  return known(ctx, { userId, state, before: member?.holdsRole ?? false, after: holdsRole, joined });
}

type Joined = { member: GuildMember | null; obstacle: JoinObstacle | null };

async function tryToJoin(ctx: Ctx, guild: Guild, link: Link): Promise<Joined> {
  if (!link.tokensSealed) return { member: null, obstacle: "not_allowed" };
  const { access } = openTokens(ctx, link.tokensSealed, `link:${link.accountId}`);
  const obstacle = await guild.join(link.discordUserId, access);
  return { obstacle, member: obstacle ? null : { userId: link.discordUserId, holdsRole: false } };
}

/** Resolves to whether the member holds the role afterwards; null for who is not a member. */
async function settleRole(guild: Guild, state: LinkState | null, member: GuildMember | null) {
  if (!member) return null;
  const facts = { linked: state !== null, entitled: state?.entitled ?? false, member: true };
  const action = remedy(facts, member.holdsRole);
  if (!action) return member.holdsRole;
  const why = action === "grant" ? `has ${brand.premium.name}` : `no active ${brand.premium.name} license`;
  const stillMember = await guild[action](member.userId, why);
  return stillMember ? action === "grant" : null;
}

type Found = {
  userId: string;
  state: LinkState | null;
  before: boolean;
  /** Null: not a member. */
  after: boolean | null;
  joined: Joined | null;
};

function known(ctx: Ctx, { userId, state, before, after, joined }: Found): Write[] {
  const writes: Write[] = [];
  if (state) writes.push(noted(ctx, state.link, { after, joined }));
  if (after !== null && before !== after) {
    const accountId = state?.link.accountId ?? null;
    const action = after ? "discord.role_granted" : "discord.role_taken";
    // the log outlives an account, and may not name a Discord user who belongs to none
    const subject = accountId ? userId : "nobody of ours";
    writes.push(audit(ctx, { actor: "shop", action, subject, accountId }));
  }
  return writes;
}

/** Only for the link that was read: one made meanwhile has a join and a look of its own to come. */
const noted = (ctx: Ctx, link: Link, { after, joined }: Pick<Found, "after" | "joined">): Write =>
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
