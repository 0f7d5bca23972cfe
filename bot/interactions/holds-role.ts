import type { RepliableInteraction } from "discord.js";

/** As Discord says with this very press. */
export function holdsRole({ member }: RepliableInteraction, roleId: string): boolean {
  if (!member) return false;
  return Array.isArray(member.roles) ? member.roles.includes(roleId) : member.roles.cache.has(roleId);
}
