/** The three facts that decide about the premium role. */
export type RoleFacts = { linked: boolean; entitled: boolean; member: boolean };

/** Whether a Discord user should have the premium role. */
export const roleFor = ({ linked, entitled, member }: RoleFacts): boolean => linked && entitled && member;

/** What a reconciliation has to do; null if the role is right. */
export function remedy(facts: RoleFacts, holdsRole: boolean): "grant" | "take" | null {
  const wanted = roleFor(facts);
  if (wanted === holdsRole) return null;
  return wanted ? "grant" : "take";
}
