import type { Staff, StaffRole } from "@/core/actor";

/** A member of staff in Discord, who holds both of the shop's roles unless told otherwise. */
export const staff = (discordUserId: string, roles: StaffRole[] = ["support", "owner"]): Staff => ({
  kind: "staff",
  via: "discord",
  discordUserId,
  roles,
});
