import { z } from "zod";
import { newPassword, staffRole, username } from "../accounts";
import { browserTimezone, instant } from "../envelope";
import { proofs } from "../security";

/** The authenticator's six digits; the desk accepts no recovery code. */
export const deskCodeBody = z.strictObject({ security_code: z.string().max(32).optional() });

export const deskEntered = z.object({ name: z.string(), role: staffRole });

export const deskRequest = z.object({
  operation: z.enum(["licence.issue", "discord.relink", "refund.approve"]),
  facts: z.array(z.object({ name: z.string(), value: z.string() })),
});
export const deskRequestDone = z.object({
  done: z.string().describe("What came of it, in words"),
  key: z.string().nullable().describe("Of a new licence; never shown again"),
});
export type DeskRequest = z.infer<typeof deskRequest>;
export type DeskRequestDone = z.infer<typeof deskRequestDone>;

export const deskMe = z.object({
  id: z.string().describe("Their actor's id in the log"),
  name: z.string(),
  role: staffRole,
  may: z.array(z.string()).describe("The names of the permissions that the role gives"),
  confirmed_until: instant.describe("Until when the last code counts as fresh"),
});

export const deskConfirmed = z.object({ confirmed_until: instant });

export const staffMember = z.object({
  id: z.string(),
  account: z.object({ id: z.string(), username: z.string(), email: z.string().nullable() }),
  role: staffRole,
  two_factor: z.boolean(),
  asleep_since: instant
    .nullable()
    .describe("Since when the role gives no rights, because a recovery left the account without two-factor"),
  since: instant,
});

export const staffInvitation = z.object({
  id: z.string(),
  email: z.string(),
  role: staffRole,
  created_at: instant,
  expires_at: instant,
});

export const staffList = z.object({
  members: z.array(staffMember),
  invitations: z.array(staffInvitation),
});

export const staffAdded = z.object({
  account: z.object({ id: z.string(), username: z.string() }).nullable(),
  role: staffRole,
  invitation: z
    .object({
      id: z.string(),
      email: z.string(),
      link: z.string().nullable().describe("Only in a shop that sends no mail"),
    })
    .nullable(),
});

export const invitationBody = z.object({
  token: z.string().min(1).max(256),
  username,
  password: newPassword,
  timezone: browserTimezone,
});

export const joinBody = invitationBody.pick({ token: true }).extend(proofs);

export type JoinBody = z.infer<typeof joinBody>;
export type InvitationBody = z.infer<typeof invitationBody>;
export type DeskMe = z.infer<typeof deskMe>;
export type StaffList = z.infer<typeof staffList>;
export type StaffAdded = z.infer<typeof staffAdded>;
