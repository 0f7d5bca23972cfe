import { and, inArray, isNotNull, isNull } from "drizzle-orm";
import type { DiscordStaff, Staff } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { linkOf } from "../../discord/links";
import { tickets } from "../../schema/tickets";
import { changeTicket } from "./change";
import { staffId } from "./notes";
import { isOpen, type Ticket } from "../reading/queries";

/** Claims a ticket for a member of staff. Refuses with `ticket_claimed`. */
export const claimTicket = (ctx: Ctx, ticket: Ticket, staff: Staff, reason?: string): Promise<void> =>
  changeTicket(ctx, ticket, {
    set: { claimedBy: staffId(staff) },
    where: and(isOpen, isNull(tickets.claimedBy)),
    otherwise: "ticket_claimed",
    operation: "ticket.claim",
    actor: staff,
    action: "ticket.claimed",
    ...(reason ? { reason } : {}),
  });

/**
 * Gives up one's own claim, made here or in Discord; an owner on the desk frees a ticket from anybody's. Refuses with
 * `ticket_not_claimed`.
 */
export async function unclaimTicket(ctx: Ctx, ticket: Ticket, staff: Staff, reason?: string): Promise<void> {
  const isFree = staff.via === "desk" && staff.roles.includes("owner");
  await changeTicket(ctx, ticket, {
    set: { claimedBy: null },
    where: and(
      isOpen,
      isFree ? isNotNull(tickets.claimedBy) : inArray(tickets.claimedBy, await ownClaims(ctx, staff)),
    ),
    otherwise: "ticket_not_claimed",
    operation: "ticket.unclaim",
    actor: staff,
    action: "ticket.unclaimed",
    ...(reason ? { reason } : {}),
  });
}

/** The values of `claimed_by` that stand for a member of staff. */
const ownClaims = async (ctx: Ctx, staff: Staff): Promise<string[]> =>
  staff.via === "desk" ? claimersOf(ctx, staff.accountId) : [staffId(staff)];

/** The values of `claimed_by` that stand for an account of staff: its own id, and that of its Discord user. */
export async function claimersOf(ctx: Ctx, accountId: string): Promise<string[]> {
  const linked = (await linkOf(ctx, accountId))?.discordUserId;
  return [accountId, ...(linked ? [linked] : [])];
}

/** Asks for a senior, and gives up the claim. Refuses with `ticket_escalated`. */
export const escalateTicket = (ctx: Ctx, ticket: Ticket, staff: DiscordStaff): Promise<void> =>
  changeTicket(ctx, ticket, {
    set: { escalatedAt: ctx.now(), claimedBy: null },
    where: and(isOpen, isNull(tickets.escalatedAt)),
    otherwise: "ticket_escalated",
    operation: "ticket.escalate",
    actor: staff,
    action: "ticket.escalated",
  });
