import { and, eq } from "drizzle-orm";
import type { AuditAction } from "@/contract/wire/audit-events";
import { actorId, type By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, isDuplicate, mustHaveChanged, type Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { notice } from "../../notice";
import { Refusal } from "@/core/base/refusal";
import { expectNoCopy } from "@/core/database/restored-copy";
import { authorize, expectConfirmed, may } from "../../permissions";
import { type Correction, corrections } from "../../schema/corrections";
import { type Payment, payments } from "../../schema/payments";
import { correctAddress, correctionWrites, expectCorrectable, type AddressCorrection } from "./corrections";
import { decisionColumns } from "./proposals";

/**
 * What staff ask for on the desk: those who may correct an address do, everybody else proposes it to the owners. Resolves
 * to the proposal's id, or to how many keys were replaced. Refuses with what {@link correctAddress} and
 * {@link proposeCorrection} refuse.
 */
export async function askForCorrection(
  ctx: Ctx,
  named: Payment,
  wanted: AddressCorrection,
  by: By,
): Promise<{ proposal: string | null; replaced: number }> {
  return may(by, "payment.correct_email")
    ? { proposal: null, replaced: await correctAddress(ctx, named, wanted, by) }
    : { proposal: await proposeCorrection(ctx, named, wanted, by), replaced: 0 };
}

/**
 * Support proposes another address for an owner to decide. Refuses as {@link expectCorrectable}, and with
 * `correction_proposed` while another proposal for that address of the order is undecided.
 */
async function proposeCorrection(
  ctx: Ctx,
  named: Payment,
  wanted: AddressCorrection,
  by: By,
): Promise<string> {
  authorize(by, "correction.propose");
  await expectNoCopy(ctx);
  const payment = await expectCorrectable(ctx, named, wanted);
  const correction = { ...wanted, id: newId(), paymentId: payment.id };
  const asked = { reason: by.reason, askedBy: actorId(by.actor), createdAt: ctx.now() };
  const sentence = `Support proposes another address for ${payment.intentId ?? payment.id}. An owner approves or declines it on the desk.`;
  try {
    await commit(ctx.store, [
      ctx.store.db.insert(corrections).values({ ...correction, ...asked, state: "proposed" }),
      ...notice(ctx, `${payment.id}:correction ${correction.id}`, { kind: "address proposed", sentence }),
      logCorrection(ctx, by, "payment.correction_proposed", { correction, payment }),
    ]);
  } catch (error) {
    throw isDuplicate(error, "corrections.payment_id") ? new Refusal("correction_proposed") : error;
  }
  return correction.id;
}

/**
 * An owner approves a proposal, which corrects the address. Refuses with `correction_unknown`, `correction_decided` also
 * if the same address was corrected since, and as {@link correctAddress}, which leaves the proposal undecided.
 */
export async function approveCorrection(ctx: Ctx, id: string, by: By): Promise<void> {
  authorize(by, "correction.approve");
  const found = await expectCorrection(ctx, id);
  expectConfirmed(ctx, by, "correction.approve");
  await expectNoCopy(ctx);
  if (found.correction.state !== "proposed") throw new Refusal("correction_decided");
  const { writes } = await correctionWrites(ctx, found.payment, found.correction, by);
  await commit(ctx.store, [
    ...decisionWrites(ctx, id, by, "approved"),
    ...writes,
    logCorrection(ctx, by, "payment.correction_approved", found),
  ]);
}

/** Refuses with `correction_unknown` and `correction_decided`. */
export async function declineCorrection(ctx: Ctx, id: string, by: By): Promise<void> {
  authorize(by, "correction.decline");
  const found = await expectCorrection(ctx, id);
  await commit(ctx.store, [
    ...decisionWrites(ctx, id, by, "declined"),
    logCorrection(ctx, by, "payment.correction_declined", found),
  ]);
}

async function expectCorrection({ store: { db } }: Ctx, id: string) {
  const [found] = await db
    .select({ correction: corrections, payment: payments })
    .from(corrections)
    .innerJoin(payments, eq(payments.id, corrections.paymentId))
    .where(eq(corrections.id, id));
  if (!found) throw new Refusal("correction_unknown");
  return found;
}

const decisionWrites = (ctx: Ctx, id: string, { actor }: By, state: "approved" | "declined"): Write[] => [
  ctx.store.db
    .update(corrections)
    .set(decisionColumns(ctx, actor, state))
    .where(and(eq(corrections.id, id), eq(corrections.state, "proposed"))),
  mustHaveChanged("correction_decided"),
];

type LoggedCorrection = {
  correction: Pick<Correction, "id" | "receiver">;
  payment: Pick<Payment, "id" | "accountId">;
};

const logCorrection = (
  ctx: Ctx,
  by: By,
  action: `payment.correction_${string}` & AuditAction,
  { correction: { id, receiver }, payment }: LoggedCorrection,
): Write =>
  record(ctx, {
    ...by,
    action,
    subject: payment.id,
    accountId: payment.accountId,
    detail: { correction: id, receiver },
  });
