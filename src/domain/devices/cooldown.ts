/** Between two moves to another device by the owner. The first binding starts none. */
export const cooldownMilliseconds = 30 * 86_400_000;

/** When the owner may next leave the device, or null when that is now. */
export function resetAvailableAt(lastReset: Date | null, now: Date): Date | null {
  if (!lastReset) return null;
  const at = new Date(lastReset.getTime() + cooldownMilliseconds);
  return at > now ? at : null;
}
