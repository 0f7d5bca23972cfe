import { and, eq } from "drizzle-orm";
import { type Actor, actorId, type By, isOnlySupport } from "@/core/base/actor";
import { commit, isDuplicate, mustHaveChanged, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { notice } from "../../notice";
import { Refusal } from "@/core/base/refusal";
import { expectNoCopy } from "@/core/database/restored-copy";
import { authorize, expectConfirmed } from "../../permissions";
import type { Payment } from "../../schema/payments";
import { type Refund, refunds } from "../../schema/refunds";
import {
  mustBeLeft,
  mustBeOnlyProposal,
  mustFitCap,
  mustNotBeDisputed,
  today,
} from "../refunds/refund-rules";
import {
  enqueueRefund,
  expectRefund,
  logRefund,
  redrawCard,
  redrawCardOf,
  refundInWords,
  type RefundView,
  newRefundRow,
  type RefundTerms,
} from "../refunds/refunds";

/**
 * `ticketId`: the ticket whose card shows it, or null for one that is proposed on the desk. `cap`: the most that support
 * may propose in a day and a currency, minor units.
 */
type ProposedRefund = RefundTerms & { ticketId: string | null; cap: number };

/**
 * Support proposes a refund for an owner to decide. Refuses with `refund_proposed` while another proposal for the
 * payment is undecided, `refund_repeated`, `refund_nothing_left`, `refund_too_large`, `amount_uneven`, with
 * `refund_refused` while a dispute holds the payment, and with `refund_cap` if support would propose more today than
 * the cap, which binds no owner.
 */
export async function proposeRefund(
  ctx: Ctx,
  payment: Payment,
  { ticketId, cap, ...wanted }: ProposedRefund,
): Promise<Pick<Refund, "id" | "amount">> {
  authorize(wanted.by, "refund.propose");
  await expectNoCopy(ctx);
  const isCapped = isOnlySupport(wanted.by.actor);
  const proposal = { state: "proposed" as const, ticketId, cappedOn: isCapped ? today(ctx) : null };
  const row = { ...(await newRefundRow(ctx, payment, wanted)), ...proposal };
  const { amount } = row;
  try {
    await commit(ctx.store, [
      mustNotBeDisputed(ctx, payment),
      mustBeOnlyProposal(ctx, payment.id),
      ...(isCapped ? [mustFitCap(ctx, { currency: payment.currency, amount, cap })] : []),
      mustBeLeft(ctx, payment, amount),
      ctx.store.db.insert(refunds).values(row),
      ...(ticketId === null ? askOwners(ctx, { refund: row, payment }) : [redrawCard(ctx, ticketId)]),
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
export const decisionColumns = <State extends "approved" | "declined">(
  { now }: Ctx,
  actor: Actor,
  state: State,
) => ({ state, decidedBy: actorId(actor), decidedAt: now() });

/** Without a reason of the owner's own, the log keeps that of the proposal. */
type Decider = Pick<By, "actor"> & { reason?: string };

/**
 * An owner approves a proposal. Refuses with `refund_decided`, `refund_too_large` if less is left by now, or
 * `refund_refused` if the payment is disputed by now.
 */
export async function approveRefund(ctx: Ctx, id: string, { actor, reason }: Decider): Promise<RefundView> {
  authorize(actor, "refund.approve");
  const found = await expectRefund(ctx, id);
  expectConfirmed(ctx, actor, "refund.approve");
  await expectNoCopy(ctx);
  await commit(ctx.store, [
    ...decisionWrites(ctx, found, "approved", { actor, reason: reason ?? found.refund.reason }),
    mustNotBeDisputed(ctx, found.payment),
    mustBeLeft(ctx, found.payment),
    enqueueRefund(ctx, id),
  ]);
  return found;
}

/** Refuses with `refund_decided`. */
export async function declineRefund(ctx: Ctx, id: string, by: Decider): Promise<RefundView> {
  authorize(by.actor, "refund.decline");
  const found = await expectRefund(ctx, id);
  await commit(ctx.store, decisionWrites(ctx, found, "declined", by));
  return found;
}

const decisionWrites = (
  ctx: Ctx,
  found: RefundView,
  state: "approved" | "declined",
  by: Decider,
): Write[] => [
  ctx.store.db
    .update(refunds)
    .set(decisionColumns(ctx, by.actor, state))
    .where(and(eq(refunds.id, found.refund.id), eq(refunds.state, "proposed"))),
  mustHaveChanged("refund_decided"),
  ...redrawCardOf(ctx, found.refund),
  logRefund(ctx, { ...by, action: `payment.refund_${state}` }, found),
];
