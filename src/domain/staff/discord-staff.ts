import { eq } from "drizzle-orm";
import type { DiscordStaff, StaffRight, StaffRole } from "@/core/actor";
import type { Ctx } from "@/core/context";
import { links } from "../schema/discord";
import { staff } from "../schema/staff";

/**
 * A member of the Discord server as an actor: what their roles there allow, and what the account that they linked
 * allows. Discord's support role alone has the rights of `discord_support` until the shop names its first staff.
 */
export async function discordStaff(
  { store: { db } }: Ctx,
  discordUserId: string,
  held: readonly StaffRole[],
): Promise<DiscordStaff> {
  const [own, anybody] = await db.batch([
    db
      .select({ role: staff.role })
      .from(links)
      .innerJoin(staff, eq(staff.accountId, links.accountId))
      .where(eq(links.discordUserId, discordUserId)),
    db.select({ id: staff.id }).from(staff).limit(1),
  ]);
  const roles: StaffRight[] = [...new Set([...held, ...own.map(({ role }) => role)])];
  if (held.includes("support") && anybody.length === 0) roles.push("discord_support");
  return { kind: "staff", via: "discord", discordUserId, roles };
}
