import { brand } from "@/brand/brand";
import type { RoleReason } from "@/contract/wire/discord";
import type { Ctx } from "@/core/database/context";
import { type Link, linkOf, linkStateOf } from "./links";

export type OwnRole = {
  link: Link | null;
  reason: RoleReason;
  sentence: string;
};

/** What an account's owner reads about their Discord user and the premium role. */
export async function ownRoleOf(ctx: Ctx, account: { id: string; entitled: boolean }): Promise<OwnRole> {
  return roleWith((await linkOf(ctx, account.id)) ?? null, account.entitled);
}

/** The same for a Discord user, linked or not. */
export async function roleOfDiscordUser(ctx: Ctx, discordUserId: string): Promise<OwnRole> {
  const found = await linkStateOf(ctx, discordUserId);
  return roleWith(found?.link ?? null, found?.entitled ?? false);
}

function roleWith(link: Link | null, entitled: boolean): OwnRole {
  const reason = roleReasonOf(link, entitled);
  return { link, reason, sentence: sentences[reason] };
}

/** Why the user does or doesn't have the role. Of several reasons, the first to act on. */
export function roleReasonOf(link: Link | null, entitled: boolean): RoleReason {
  if (!link) return "not_linked";
  if (!entitled) return "no_license";
  if (link.checkedAt === null || link.joinWanted) return "pending";
  if (link.member) return link.holdsRole ? "held" : "pending";
  return link.joinObstacle === "banned" || link.joinObstacle === "too_many_servers"
    ? link.joinObstacle
    : "not_member";
}

const name = brand.premium.name;

export const sentences = {
  held: `You have the ${name} role in our Discord server.`,
  off: "This shop isn't using Discord.",
  not_linked: `Connect your Discord account to get the ${name} role.`,
  no_license: `You don't have an active license, so you don't have the ${name} role right now.`,
  banned: `Your Discord account is banned from our server, so it can't have the ${name} role. Please write to ${brand.supportEmail}.`,
  too_many_servers:
    "Your Discord account is in as many servers as Discord allows. Leave one, then join ours.",
  not_member: `Join our Discord server first, and you'll get the ${name} role right away.`,
  pending: `The ${name} role is on its way. You'll get it as soon as Discord answers.`,
} as const satisfies Record<RoleReason, string>;

/** The pause between two checks for the role while a person waits. */
const checkEveryMilliseconds = 50;

/** Waits for a new link's first reconciliation; resolves to the role's status by then. */
export async function awaitRole(
  ctx: Ctx,
  account: { id: string; entitled: boolean },
  timeoutMilliseconds: number,
): Promise<OwnRole> {
  const began = ctx.now().getTime();
  for (;;) {
    const own = await ownRoleOf(ctx, account);
    const waited = Math.abs(ctx.now().getTime() - began);
    if (own.reason !== "pending" || waited >= timeoutMilliseconds) return own;
    await Bun.sleep(checkEveryMilliseconds);
  }
}
