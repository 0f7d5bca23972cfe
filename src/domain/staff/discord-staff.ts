import { eq } from "drizzle-orm";
import type { DiscordStaff, StaffRight, StaffRole } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { links } from "../schema/discord";
import { staff } from "../schema/staff";

const ranks = ["viewer", "support", "owner"] as const;
/** A role that was raised later was not proven. */
const lowerRole = (one: StaffRole, other: StaffRole): StaffRole =>
  ranks.indexOf(one) < ranks.indexOf(other) ? one : other;

/**
 * A member of the Discord server as an actor: what their roles there allow, and what the account that they linked
 * allows. Discord's support role alone has the rights of `discord_support` until the shop names its first staff. Refuses
 * with `role_asleep` whoever is linked to an account whose role sleeps.
 */
export async function discordStaff(
  { store: { db } }: Ctx,
  discordUserId: string,
  held: readonly StaffRole[],
): Promise<DiscordStaff> {
  const [own, anybody] = await db.batch([
    db
      .select({
        accountId: links.accountId,
        role: staff.role,
        asleepSince: staff.asleepSince,
        proven: links.provenRole,
      })
      .from(links)
      .innerJoin(staff, eq(staff.accountId, links.accountId))
      .where(eq(links.discordUserId, discordUserId)),
    db.select({ id: staff.id }).from(staff).limit(1),
  ]);
  const [link] = own;
  if (link?.asleepSince) throw new Refusal("role_asleep");
  const roles: StaffRight[] = [...new Set([...held, ...own.map(({ role }) => role)])];
  if (held.includes("support") && anybody.length === 0) roles.push("discord_support");
  const proven = link?.proven ? { accountId: link.accountId, role: lowerRole(link.role, link.proven) } : null;
  return { kind: "staff", via: "discord", discordUserId, roles, proven };
}
