/** The three facts that decide about the premium role. */
export type Standing = { linked: boolean; entitled: boolean; member: boolean };

/** Whether a Discord user should have the premium role: linked, entitled, and a member of the server. */
export const roleFor = ({ linked, entitled, member }: Standing): boolean => linked && entitled && member;

/** What a reconciliation does about it. */
export function remedy(standing: Standing, holdsRole: boolean): "grant" | "take" | null {
  const wanted = roleFor(standing);
  if (wanted === holdsRole) return null;
  return wanted ? "grant" : "take";
}
