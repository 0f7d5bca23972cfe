import type { StaffRole } from "../../../api/desk/session";

/**
 * What support may do beside reading; everything else is an owner's, and a viewer only reads. The shop itself decides
 * (`src/domain/permissions.ts`): this only keeps from the screen what it would refuse.
 */
const ofSupport = [
  "reset-device",
  "notes",
  "refund",
  "resend",
  "correct-email",
  "suspend",
  "reinstate",
  "extend",
  "messages",
  "claim",
  "unclaim",
  "close",
  "reopen",
] as const;

const ofOwners = [
  "reset-mfa",
  "change-email",
  "sign-out",
  "link",
  "unlink",
  "erase",
  "grant",
  "sync",
  "contest",
  "cancel",
  "revoke",
  "devices",
  "rotate",
  "key",
  "approve",
  "decline",
  "bulk",
  "issue",
  "export",
  "outbox",
  "replies",
] as const;

/** An operation by the last word of its address. */
export type Right = (typeof ofSupport)[number] | (typeof ofOwners)[number];

export const mayDo = (role: StaffRole, right: Right): boolean =>
  role === "owner" || (role === "support" && ofSupport.some((one) => one === right));

/** The operations that a role may do, in the order given. */
export const allowed = <Of>(role: StaffRole, all: readonly (readonly [Right, Of | null])[]): Of[] =>
  all.flatMap(([right, operation]) => (operation !== null && mayDo(role, right) ? [operation] : []));
