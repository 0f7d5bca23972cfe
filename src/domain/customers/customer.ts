import { licenceEnd } from "@/contract/vocabulary/licence-end";
import type { Bill } from "@/contract/wire/payments";
import type { Ctx } from "@/core/database/context";
import { pageRows } from "@/core/database/pages";
import type { Account } from "../accounts/sessions/account";
import { type OwnRole, ownRoleOf } from "../discord/role-status";
import type { KeptDevice } from "../devices/seats";
import { seatsOf } from "../devices/read";
import { keyOf } from "../licences/keys/issue";
import { maskKey } from "../licences/keys/keys";
import { licencesOfAccount } from "../licences/changes/list";
import { type LicenceStatus, statusOf } from "../licences/entitlement/entitlement";
import { billOf } from "../bills/bill";
import { subscriptionsOf } from "../payments/reading/subscriptions";
import { newestPayments, paymentOutcome, refundablePaymentOf } from "../payments/reading/payments";
import type { Payment, PaymentState } from "../schema/payments";
import type { Subscription } from "../schema/subscriptions";

export type SeenDevice = Pick<KeptDevice, "id" | "label" | "os" | "active" | "removableAt">;

export type CustomerPayment = {
  id: string;
  intentId: string | null;
  state: PaymentState;
  disputeStatus: string | null;
  bill: Bill;
  at: Date;
};

/** Everything staff see about a customer. Keys are masked. */
export type Customer = {
  account: Pick<Account, "id" | "username" | "email" | "emailConfirmedAt" | "createdAt">;
  twoFactor: boolean;
  /** The newest redemptions. */
  licences: {
    masked: string;
    type: string;
    status: LicenceStatus;
    expiresAt: Date | null;
    /** Until when it runs as people count; see {@link licenceEnd}. */
    endsAt: Date | null;
  }[];
  /** Whether there are further licences. */
  moreLicences: boolean;
  /** The newest payment that has an outcome. */
  payment: CustomerPayment | null;
  /** The newest of their own payments with something left to refund. */
  refundable: CustomerPayment | null;
  /** Those that they bought, newest first. */
  subscriptions: Subscription[];
  /** The computer last seen. */
  device: { label: string; resetAvailableAt: Date | null } | null;
  /** How many computers it keeps, how many it may have, and those last seen. */
  devices: { used: number; places: number; seen: SeenDevice[] };
  role: OwnRole;
};

/** What staff see about an account. */
export async function customerOf(ctx: Ctx, account: Account): Promise<Customer> {
  const read = await licencesOfAccount(ctx, account.id, { after: null, most: pageRows + 1 });
  const own = read.slice(0, pageRows);
  const [payment] = await newestPayments(ctx, account.id, { after: null, most: 1 });
  const refundable = await refundablePaymentOf(ctx, account.id);
  const { seats, devices } = await seatsOf(ctx, account.id);
  const [device] = devices;
  const bought = await subscriptionsOf(ctx, account.id, { after: null, most: mostSubscriptions });
  const renewsAt = new Map(bought.map((one) => [one.id, one.renewsAt]));
  return {
    account,
    twoFactor: account.mfaEnabledAt !== null,
    licences: own.map((licence) => ({
      masked: maskKey(keyOf(ctx, licence)),
      type: licence.level,
      status: statusOf(ctx, licence),
      expiresAt: licence.expiresAt,
      endsAt: licenceEnd(licence.expiresAt, renewsAt.get(licence.primaryPaymentId ?? "") ?? null, ctx.now()),
    })),
    moreLicences: read.length > own.length,
    payment: payment ? customerPayment(payment) : null,
    refundable: refundable && customerPayment(refundable),
    subscriptions: bought.map(({ key: _key, ...one }) => one),
    device: device ? { label: device.label, resetAvailableAt: device.removableAt } : null,
    devices: { used: devices.length, places: seats, seen: devices.slice(0, mostSeen).map(seenDevice) },
    role: await ownRoleOf(ctx, account.id),
  };
}

/** Subscriptions shown of a customer; one at a time runs. */
const mostSubscriptions = 3;
/** Computers shown of a customer. */
const mostSeen = 10;
const seenDevice = ({ id, label, os, active, removableAt }: KeptDevice): SeenDevice => ({
  id,
  label,
  os,
  active,
  removableAt,
});

const customerPayment = (payment: Payment): CustomerPayment => ({
  id: payment.id,
  intentId: payment.intentId,
  state: paymentOutcome(payment).state,
  disputeStatus: payment.disputeStatus,
  bill: billOf(payment),
  at: payment.createdAt,
});
