import { brand } from "@/brand/brand";
import type { RoleReason } from "@/contract/wire/discord";
import type { Ctx } from "@/core/database/context";
import { ladderOf } from "../levels/list";
import { readActiveLicences } from "../licences/entitlement/active";
import type { LevelRow } from "../schema/levels";
import { type DiscordFacts, factsOfUser, type Link, linkOf } from "./links";
import { givesRole } from "./roles";

export type OwnRole = {
  link: Link | null;
  reason: RoleReason;
  sentence: string;
  /** `Pro and Team roles`: what the account's licences give, or could; null if they give no role. */
  gives: string | null;
  /** The levels whose roles the reason is about, where several levels give one. */
  names: string | null;
};

/** What an account's owner reads about their Discord user and the roles of their levels. */
export async function ownRoleOf(ctx: Ctx, accountId: string): Promise<OwnRole> {
  const [link = null, active, ladder] = await Promise.all([
    linkOf(ctx, accountId),
    readActiveLicences(ctx, accountId),
    ladderOf(ctx),
  ]);
  return roleWith(ladder, { link, levels: active.map(({ level }) => level) });
}

/** The same for a Discord user, linked or not. */
export const roleOfDiscordUser = async (ctx: Ctx, discordUserId: string): Promise<OwnRole> =>
  roleWith(await ladderOf(ctx), await factsOfUser(ctx, discordUserId));

type Facts = Pick<DiscordFacts, "link" | "levels">;

function roleWith(ladder: readonly LevelRow[], { link, levels }: Facts): OwnRole {
  const giving = ladder.filter(givesRole);
  const own = giving.filter(({ id }) => levels.includes(id));
  const reason = roleReasonOf(link, { isLicensed: levels.length > 0, wanted: own.map(({ id }) => id) });
  const missing = own.filter(({ id }) => !link?.heldLevels?.includes(id));
  const about = reason === "pending" && missing.length > 0 ? missing : own;
  const any = anyRole(giving);
  return {
    link,
    reason,
    gives: own.length > 0 ? rolesOf(own).words : levels.length > 0 ? null : any.words,
    sentence: sentences[reason](about.length > 0 ? rolesOf(about) : any),
    names: giving.length > 1 && about.length > 0 ? listed(about, "conjunction") : null,
  };
}

/** The levels whose role a linked user has, for staff; null where only one level gives a role. */
export async function heldRoleNames(ctx: Ctx, { heldLevels }: Link): Promise<string | null> {
  const giving = (await ladderOf(ctx)).filter(givesRole);
  const held = giving.filter(({ id }) => heldLevels?.includes(id));
  return giving.length > 1 && held.length > 0 ? listed(held, "conjunction") : null;
}

type Licensed = {
  isLicensed: boolean;
  /** The levels of the account that give a role. */
  wanted: readonly string[];
};

/** Why the user does or doesn't have the roles of their levels. Of several reasons, the first to act on. */
export function roleReasonOf(link: Link | null, { isLicensed, wanted }: Licensed): RoleReason {
  if (isLicensed && wanted.length === 0) return "no_role";
  if (!link) return "not_linked";
  if (!isLicensed) return "no_license";
  if (link.checkedAt === null || link.joinWanted) return "pending";
  if (link.member) return wanted.every((id) => link.heldLevels?.includes(id)) ? "held" : "pending";
  return link.joinObstacle === "banned" || link.joinObstacle === "too_many_servers"
    ? link.joinObstacle
    : "not_member";
}

/** Why somebody without a licence has no role. */
export const noLicenceSentence = async (ctx: Ctx): Promise<string> =>
  sentences.no_license(anyRole((await ladderOf(ctx)).filter(givesRole)));

/** `Pro and Team roles` */
type Roles = { words: string; several: boolean };

const rolesOf = (levels: readonly LevelRow[]): Roles => {
  const several = levels.length > 1;
  return { several, words: `${listed(levels, "conjunction")} ${several ? "roles" : "role"}` };
};

/** `Pro or Team role`, for who has no level. */
const anyRole = (levels: readonly LevelRow[]): Roles => {
  const offered = levels.filter(({ retiredAt }) => retiredAt === null);
  return { several: false, words: `${listed(offered, "disjunction")} role` };
};

const listed = (levels: readonly LevelRow[], type: "conjunction" | "disjunction"): string =>
  new Intl.ListFormat("en-US", { type }).format(levels.map(({ name }) => name));

export const offSentence = "This shop isn't using Discord.";

const sentences: Record<RoleReason, (roles: Roles) => string> = {
  held: ({ words }) => `You have the ${words} in our Discord server.`,
  off: () => offSentence,
  not_linked: ({ words }) => `Connect your Discord account to get the ${words}.`,
  no_license: ({ words }) => `You don't have an active license, so you don't have the ${words} right now.`,
  no_role: () => "Your license comes without a role in our Discord server.",
  banned: ({ words }) =>
    `Your Discord account is banned from our server, so it can't have the ${words}. Please write to ${brand.supportEmail}.`,
  too_many_servers: () =>
    "Your Discord account is in as many servers as Discord allows. Leave one, then join ours.",
  not_member: ({ words }) => `Join our Discord server first, and you'll get the ${words} right away.`,
  pending: ({ words, several }) =>
    `The ${words} ${several ? "are on their" : "is on its"} way. You'll get ${several ? "them" : "it"} as soon as Discord answers.`,
};

/** The pause between two checks for the role while a person waits. */
const checkEveryMilliseconds = 50;

/** Waits for a new link's first reconciliation; resolves to the role's status by then. */
export async function awaitRole(ctx: Ctx, accountId: string, timeoutMilliseconds: number): Promise<OwnRole> {
  const began = ctx.now().getTime();
  for (;;) {
    const own = await ownRoleOf(ctx, accountId);
    const waited = Math.abs(ctx.now().getTime() - began);
    if (own.reason !== "pending" || waited >= timeoutMilliseconds) return own;
    await Bun.sleep(checkEveryMilliseconds);
  }
}
