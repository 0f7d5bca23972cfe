import type { DiscordStaff, StaffRole } from "@/core/actor";

/** A member of staff in Discord, with both of the shop's roles by default, in a shop that named no staff of its own. */
export const staff = (discordUserId: string, roles: StaffRole[] = ["support", "owner"]): DiscordStaff => ({
  kind: "staff",
  via: "discord",
  discordUserId,
  roles: roles.includes("support") ? [...roles, "discord_support"] : roles,
});
