import type { Staff, StaffRole } from "@/core/actor";

/** A member of staff in Discord, with both of the shop's roles by default. */
export const staff = (discordUserId: string, roles: StaffRole[] = ["support", "owner"]): Staff => ({
  kind: "staff",
  via: "discord",
  discordUserId,
  roles,
});
