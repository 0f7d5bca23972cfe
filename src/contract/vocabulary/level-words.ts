import { maxHolders } from "./bounds";

/** `1 account`, `10,000+ accounts`: of holders of a level, whom nobody counts further. */
export const holdersText = (count: number, one: string): string =>
  `${count.toLocaleString("en-US")}${count >= maxHolders ? "+" : ""} ${one}${count === 1 ? "" : "s"}`;

/** Whom a change of a level concerns. */
export const heldText = (held: { licences: number; accounts: number; offers: number }): string =>
  `${holdersText(held.licences, "active license")} of ${holdersText(held.accounts, "account")} and ${held.offers} ${held.offers === 1 ? "offer" : "offers"} on sale have this level.`;

/**
 * What it means that a level gives a Discord role: how many members have it now, and how many of them would lose it
 * because they have no licence for it. The numbers are null where Discord doesn't let the bot list members.
 */
export type RoleEffect = { name: string; members: number | null; losing: number | null };

export const roleEffectText = ({ name, members, losing }: RoleEffect): string =>
  members === null || losing === null
    ? `Discord doesn't say who has ${name}. Members without a license for this level would lose it.`
    : `${members} ${members === 1 ? "member has" : "members have"} ${name}, and ${losing} of them would lose it.`;
