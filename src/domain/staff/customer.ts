import { asc, desc, eq, gt, or } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { resetAvailableAt } from "../devices/cooldown";
import { type Account, accountByName } from "../accounts/account";
import { accounts } from "../schema/accounts";
import { type OwnRole, roleOf } from "../community/mine";
import { standingOf } from "../community/standing";
import { devices } from "../schema/devices";
import { isOfMode } from "../licences/entitlement";
import { keyOf } from "../licences/issue";
import { keyHash, maskKey, readForeignKey, readKey } from "../licences/keys";
import { licences } from "../schema/licences";
import { payments } from "../schema/payments";

export type Licence = typeof licences.$inferSelect;
export type LicenceStatus =
  "active" | "unredeemed" | "expired" | "suspended" | "disputed" | "refunded" | "revoked" | "other mode";

/** All that staff see of a customer. Keys are masked. */
export type Customer = {
  account: Pick<Account, "id" | "username" | "email" | "createdAt">;
  twoFactor: boolean;
  licences: { masked: string; type: string; status: LicenceStatus; expiresAt: Date | null }[];
  payment: { state: string; disputeStatus: string | null; amount: number; currency: string; at: Date } | null;
  device: { label: string; resetAvailableAt: Date | null } | null;
  role: OwnRole;
};

/** Finds an account by its name, email, whole or masked key; null when nothing or not just one fits. */
export async function findAccount(ctx: Ctx, typed: string): Promise<Account | null> {
  const named = await accountByName(ctx, typed);
  if (named) return named;
  const licence = await findLicence(ctx, typed);
  return licence?.accountId ? accountById(ctx, licence.accountId) : null;
}

/** The account that a Discord user is connected to. */
export async function accountOfDiscordUser(ctx: Ctx, discordUserId: string): Promise<Account | null> {
  const standing = await standingOf(ctx, discordUserId);
  return standing ? accountById(ctx, standing.link.accountId) : null;
}

/** A licence by its key, whole or masked; null when there is none, or when more than one has that mask. */
export async function findLicence(ctx: Ctx, typed: string): Promise<Licence | null> {
  const key = readKey(typed) ?? readForeignKey(typed);
  if (key) {
    const [licence] = await ctx.store.db
      .select()
      .from(licences)
      .where(eq(licences.keyHash, keyHash(ctx, key)));
    return licence ?? null;
  }
  const tail = /[•*]\s{0,4}-?\s{0,4}([0-9a-z]{4})$/i.exec(typed.trim())?.[1]?.toUpperCase();
  if (!tail) return null;
  const fitting = await licencesEndingIn(ctx, tail);
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

/** Keys are stored sealed, so all have to be opened; a page at a time, so that others are served between. */
async function licencesEndingIn(ctx: Ctx, tail: string): Promise<Licence[]> {
  const found: Licence[] = [];
  for (let after = ""; ;) {
    const page = await ctx.store.db
      .select()
      .from(licences)
      .where(gt(licences.id, after))
      .orderBy(asc(licences.id))
      .limit(500);
    found.push(...page.filter((licence) => keyOf(ctx, licence).endsWith(`-${tail}`)));
    const last = page.at(-1);
    if (!last || found.length > 1) return found;
    after = last.id;
    await Bun.sleep(0);
  }
}

/** What staff see of an account. */
export async function customerOf(ctx: Ctx, account: Account): Promise<Customer> {
  const { db } = ctx.store;
  const own = await db
    .select()
    .from(licences)
    .where(eq(licences.accountId, account.id))
    .orderBy(desc(licences.redeemedAt));
  const [payment] = await db
    .select({ payment: payments })
    .from(payments)
    .leftJoin(licences, eq(licences.paymentId, payments.id))
    .where(or(eq(payments.accountId, account.id), eq(licences.accountId, account.id)))
    .orderBy(desc(payments.createdAt))
    .limit(1);
  const [device] = await db.select().from(devices).where(eq(devices.accountId, account.id));
  const entitled = own.some((licence) => statusOf(ctx, licence) === "active");
  return {
    account,
    twoFactor: account.mfaEnabledAt !== null,
    licences: own.map((licence) => ({
      masked: maskKey(keyOf(ctx, licence)),
      type: licence.type,
      status: statusOf(ctx, licence),
      expiresAt: licence.expiresAt,
    })),
    payment: payment
      ? {
          state: payment.payment.state,
          disputeStatus: payment.payment.disputeStatus,
          amount: payment.payment.amount,
          currency: payment.payment.currency,
          at: payment.payment.createdAt,
        }
      : null,
    device: device
      ? { label: device.label, resetAvailableAt: resetAvailableAt(account.deviceResetAt, ctx.now()) }
      : null,
    role: await roleOf(ctx, { id: account.id, entitled }),
  };
}

/** The one word for a licence's state. */
export function statusOf(ctx: Ctx, licence: Licence): LicenceStatus {
  if (licence.revokedAt || licence.paymentStanding === "revoked") return "revoked";
  if (licence.paymentStanding !== "good") return licence.paymentStanding;
  if (licence.suspendedAt) return "suspended";
  if (!isOfMode(ctx, licence)) return "other mode";
  if (!licence.redeemedAt) return "unredeemed";
  return licence.expiresAt && licence.expiresAt <= ctx.now() ? "expired" : "active";
}

async function accountById(ctx: Ctx, id: string): Promise<Account | null> {
  const [account] = await ctx.store.db.select().from(accounts).where(eq(accounts.id, id));
  return account ?? null;
}
