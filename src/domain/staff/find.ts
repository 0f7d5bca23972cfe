import { desc, eq, or } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { Refusal } from "@/core/refusal";
import { type Account } from "../accounts/account";
import { accounts } from "../schema/accounts";
import { licences } from "../schema/licences";
import { payments } from "../schema/payments";
import { findAccount, findLicence, type Licence } from "./customer";

const isId = (typed: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(typed.trim());

/** A licence by its id, or its key whole or masked. Refuses with `not_found`. */
export async function licenceNamed(ctx: Ctx, typed: string): Promise<Licence> {
  const [byId] = isId(typed)
    ? await ctx.store.db.select().from(licences).where(eq(licences.id, typed.trim()))
    : [];
  const licence = byId ?? (isId(typed) ? null : await findLicence(ctx, typed));
  if (!licence) throw new Refusal("not_found", { sentence: "There is no such licence, or more than one." });
  return licence;
}

/** An account by its id, name, email or one of its keys. Refuses with `not_found`. */
export async function accountNamed(ctx: Ctx, typed: string): Promise<Account> {
  const [byId] = isId(typed)
    ? await ctx.store.db.select().from(accounts).where(eq(accounts.id, typed.trim()))
    : [];
  const account = byId ?? (await findAccount(ctx, typed));
  if (!account) throw new Refusal("not_found", { sentence: "There is no such account." });
  return account;
}

/** A payment by its id here, or Stripe's of its session or intent. Refuses with `payment_unknown`. */
export async function paymentNamed(ctx: Ctx, typed: string) {
  const name = typed.trim();
  const [found] = await ctx.store.db
    .select({ payment: payments, licence: licences })
    .from(payments)
    .leftJoin(licences, eq(licences.paymentId, payments.id))
    .where(or(eq(payments.id, name), eq(payments.sessionId, name), eq(payments.intentId, name)))
    .orderBy(desc(payments.createdAt))
    .limit(1);
  if (!found) throw new Refusal("payment_unknown");
  return found;
}
