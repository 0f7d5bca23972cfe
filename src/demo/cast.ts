import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { accountByName } from "@/domain/accounts/sessions/account";
import { register } from "@/domain/accounts/sign-in/register";
import { issueNewWrites, keyOf } from "@/domain/licences/keys/issue";
import { randomKey } from "@/domain/licences/keys/keys";
import { accounts } from "@/domain/schema/accounts";
import { licences } from "@/domain/schema/licences";
import type { CheckoutGateway } from "@/domain/payments/port/stripe";
import { openCheckout } from "@/domain/payments/checkout/order";
import { settle } from "@/domain/payments/settlement/settle";
import { payments } from "@/domain/schema/payments";
import { and, eq, isNull } from "drizzle-orm";
import { cast, emailOf, here, type Member, timezone } from "./members";
import { runAction } from "./simulators";
import { appointStaff } from "./staff";
import { turnOnTwoFactor } from "./two-factor";
import type { PastOffer } from "./year/plan";

/** The buyer of a key that nobody has redeemed. */
export const buyerOfAKey = "stranger@example.com";

/** The shop, and the Stripe simulator's URL. */
export type Stage = { ctx: Ctx; checkout: CheckoutGateway; publicUrl: URL; stripeUrl: URL };

/**
 * Creates staff and customers through the domain's own operations; after an interruption, creates the missing ones. `goOn`
 * throws to stop between two steps. Resolves to an unredeemed key.
 */
export async function playCast(stage: Stage, goOn: () => void = () => {}): Promise<string> {
  await appointStaff(stage.ctx, goOn);
  for (const step of steps) {
    goOn();
    await step(stage);
  }
  goOn();
  return unspentKey(stage, buyerOfAKey);
}

const steps: ((stage: Stage) => Promise<unknown>)[] = [
  (stage) => customer(stage, "ada"),
  (stage) => customer(stage, "dora"),
  (stage) => takeBack(stage, "dora", { action: "dispute", status: "needs_response" }),
  (stage) => customer(stage, "nora", () => unspentKey(stage, emailOf("nora"), "studio")),
  (stage) => customer(stage, "rhea"),
  (stage) => takeBack(stage, "rhea", { action: "refund" }),
  (stage) => customer(stage, "tim", () => handOut(stage.ctx, 30)),
  (stage) => customer(stage, "lena"),
  (stage) => customer(stage, "theo"),
  ({ ctx }) => turnOnTwoFactor(ctx, "theo"),
];

async function customer(stage: Stage, member: Member, newKey = () => unspentKey(stage, emailOf(member))) {
  if (await accountByName(stage.ctx, member)) return;
  const { username, password } = cast[member];
  const key = await newKey();
  await register(stage.ctx, { username, email: emailOf(member), password, key, timezone }, { browser: here });
  if (member === typed) return;
  await stage.ctx.store.db
    .update(accounts)
    .set({ emailConfirmedAt: stage.ctx.now() })
    .where(eq(accounts.usernameKey, username.toLowerCase()));
}

/** The one whose mailbox has not confirmed its address. */
const typed: Member = "lena";

/** A key that this buyer has not redeemed; buys one if there is none. */
async function unspentKey(stage: Stage, email: string, offer?: PastOffer): Promise<string> {
  const [bought] = await stage.ctx.store.db
    .select({ licence: licences })
    .from(licences)
    .innerJoin(payments, eq(payments.id, licences.paymentId))
    .where(and(eq(payments.email, email), isNull(licences.redeemedAt)));
  return bought ? keyOf(stage.ctx, bought.licence) : (await buy(stage, email, offer)).key;
}

/** Refunds or disputes the payment of a customer's licence. */
async function takeBack(
  stage: Stage,
  member: Member,
  { action, ...how }: { action: string; status?: string },
) {
  const { ctx, checkout } = stage;
  const account = await accountByName(ctx, member);
  const [paid] = await ctx.store.db
    .select({ session: payments.sessionId })
    .from(licences)
    .innerJoin(payments, eq(payments.id, licences.paymentId))
    .where(eq(licences.accountId, account?.id ?? ""));
  if (!paid) throw new Error(`${member} has bought nothing`);
  const payment = await settle(ctx, checkout, paid.session);
  if (payment?.state !== "succeeded") return;
  await runAction(stage.stripeUrl, action, { session: paid.session, ...how });
  await settle(ctx, checkout, paid.session);
}

/** Opens a checkout, pays it at Stripe, and settles it. */
export async function buy(
  stage: Stage,
  email: string,
  offer?: PastOffer,
): Promise<{ sessionId: string; key: string }> {
  const opened = await openCheckout(stage.ctx, stage.checkout, {
    currency: stage.ctx.currency,
    offer,
    publicUrl: stage.publicUrl,
    buyer: { accountId: null, email, browserHash: "" },
  });
  await runAction(stage.stripeUrl, "pay", { session: opened.id, email });
  const payment = await settle(stage.ctx, stage.checkout, opened.id);
  const [licence] = await stage.ctx.store.db
    .select()
    .from(licences)
    .where(eq(licences.paymentId, payment?.id ?? ""));
  if (!licence) throw new Error("a paid order has no licence");
  return { sessionId: opened.id, key: keyOf(stage.ctx, licence) };
}

/** A key without a payment, for `days` days, or lifetime with null. */
export async function handOut(ctx: Ctx, days: number | null): Promise<string> {
  const key = randomKey();
  await commit(ctx.store, issueNewWrites(ctx, { key, level: "premium", days }));
  return key;
}
