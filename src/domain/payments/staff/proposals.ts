import { and, eq } from "drizzle-orm";
import { type Actor, actorId, type By, isOnlySupport } from "@/core/actor";
import { commit, isDuplicate, mustHaveChanged, type Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { notice } from "@/core/notice";
import { Refusal } from "@/core/refusal";
import { expectNoCopy } from "@/core/restored-copy";
import { authorize, expectConfirmed } from "../../permissions";
import type { Payment } from "../../schema/payments";
import { type Refund, refunds } from "../../schema/refunds";
import { mustBeLeft, mustBeOnlyProposal, mustFitCap, mustNotBeDisputed, today } from "./refund-rules";
import {
  carryOutLater,
  expectRefund,
  logRefund,
  redraw,
  redrawCard,
  refundInWords,
  type RefundView,
  rowOf,
  type Wanted,
} from "./refunds";

/**
 * `ticketId`: the ticket whose card shows it, or null for one that is proposed on the desk. `cap`: the most that support
 * may propose in a day and a currency, minor units.
 */
type Proposed = Wanted & { ticketId: string | null; cap: number };

/**
 * Support proposes a refund for an owner to decide. Refuses with `refund_proposed` while another proposal for the
 * payment is undecided, `refund_repeated`, `refund_nothing_left`, `refund_too_large`, `amount_uneven`, with
 * `refund_refused` while a dispute holds the payment, and with `refund_cap` if support would propose more today than
 * the cap, which binds no owner.
 */
export async function proposeRefund(
  ctx: Ctx,
  payment: Payment,
  { ticketId, cap, ...wanted }: Proposed,
): Promise<Pick<Refund, "id" | "amount">> {
  authorize(wanted.by, "refund.propose");
  await expectNoCopy(ctx);
  const isCapped = isOnlySupport(wanted.by.actor);
  const proposal = { state: "proposed" as const, ticketId, cappedOn: isCapped ? today(ctx) : null };
  const row = { ...(await rowOf(ctx, payment, wanted)), ...proposal };
  const { amount } = row;
  try {
    await commit(ctx.store, [
      mustNotBeDisputed(ctx, payment),
      mustBeOnlyProposal(ctx, payment.id),
      ...(isCapped ? [mustFitCap(ctx, { currency: payment.currency, amount, cap })] : []),
      mustBeLeft(ctx, payment, amount),
      ctx.store.db.insert(refunds).values(row),
      ...(ticketId === null ? askOwners(ctx, { refund: row, payment }) : [redraw(ctx, ticketId)]),
      logRefund(ctx, { ...wanted.by, action: "payment.refund_proposed" }, { payment, refund: row }),
    ]);
  } catch (error) {
    if (isDuplicate(error, "refunds.ticket_id")) throw new Refusal("refund_proposed");
    throw isDuplicate(error, "refunds.request") ? new Refusal("refund_repeated") : error;
  }
  return row;
}

/** A proposal on a ticket's card is shown there. */
function askOwners(
  ctx: Ctx,
  { refund, payment }: { refund: Pick<Refund, "id" | "amount">; payment: Payment },
): Write[] {
  const sentence = `Support proposes to refund ${refundInWords({ refund, payment })}. An owner approves or declines it on the desk.`;
  return notice(ctx, `${payment.id}:proposal ${refund.id}`, { kind: "refund proposed", sentence });
}

/** The columns of a proposal that an owner decides now. */
export const decidedNow = <State extends "approved" | "declined">(
  { now }: Ctx,
  actor: Actor,
  state: State,
) => ({ state, decidedBy: actorId(actor), decidedAt: now() });

/** Without a reason of the owner's own, the log keeps that of the proposal. */
type Deciding = Pick<By, "actor"> & { reason?: string };

/**
 * An owner approves a proposal. Refuses with `refund_decided`, `refund_too_large` if less is left by now, or
 * `refund_refused` if the payment is disputed by now.
 */
export async function approveRefund(ctx: Ctx, id: string, { actor, reason }: Deciding): Promise<RefundView> {
  authorize(actor, "refund.approve");
  const found = await expectRefund(ctx, id);
  expectConfirmed(ctx, actor, "refund.approve");
  await expectNoCopy(ctx);
  await commit(ctx.store, [
    ...deciding(ctx, found, "approved", { actor, reason: reason ?? found.refund.reason }),
    mustNotBeDisputed(ctx, found.payment),
    mustBeLeft(ctx, found.payment),
    carryOutLater(ctx, id),
  ]);
  return found;
}

/** Refuses with `refund_decided`. */
export async function declineRefund(ctx: Ctx, id: string, by: Deciding): Promise<RefundView> {
  authorize(by.actor, "refund.decline");
  const found = await expectRefund(ctx, id);
  await commit(ctx.store, deciding(ctx, found, "declined", by));
  return found;
}

const deciding = (ctx: Ctx, found: RefundView, state: "approved" | "declined", by: Deciding): Write[] => [
  ctx.store.db
    .update(refunds)
    .set(decidedNow(ctx, by.actor, state))
    .where(and(eq(refunds.id, found.refund.id), eq(refunds.state, "proposed"))),
  mustHaveChanged("refund_decided"),
  ...redrawCard(ctx, found.refund),
  logRefund(ctx, { ...by, action: `payment.refund_${state}` }, found),
];
