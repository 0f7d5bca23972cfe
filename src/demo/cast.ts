import { commit } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { codeBefore } from "@/domain/accounts/authenticator";
import { enableMfa, offerAuthenticator } from "@/domain/accounts/enable-mfa";
import { register } from "@/domain/accounts/register";
import { type Entered, sessionReader } from "@/domain/accounts/sessions";
import { issue, keyOf } from "@/domain/licences/issue";
import { randomKey } from "@/domain/licences/keys";
import { licences } from "@/domain/licences/tables";
import type { CheckoutGateway } from "@/domain/payments/checkout";
import { openCheckout } from "@/domain/payments/order";
import { settle } from "@/domain/payments/settle";
import { eq } from "drizzle-orm";

/** What theo's authenticator app holds; type it into your own to sign in as him. */
export const theosSecret = "LATCHKEYDEMOTHEOLATCHKEYDEMOTHEO";

/** The people who live in the demo and in the tests. Nobody outside knows these passwords. */
export const cast = {
  ada: { username: "ada", password: "ada-likes-engines", is: "an active customer" },
  dora: { username: "dora", password: "dora-disputes-it", is: "a customer whose card was disputed" },
  rhea: { username: "rhea", password: "rhea-wants-a-refund", is: "a customer whose payment was refunded" },
  tim: { username: "tim", password: "tim-is-on-trial", is: "a customer with a key for thirty days" },
  lena: { username: "lena", password: "lena-left-early", is: "a customer who left the Discord server" },
  theo: {
    username: "theo",
    password: "theo-locks-twice",
    is: `a customer with two-factor; the secret for your authenticator app is ${theosSecret}`,
  },
} as const;
export type Member = keyof typeof cast;

/** What the stories are played on: the shop, and Stripe's side of the world. */
export type Stage = { ctx: Ctx; checkout: CheckoutGateway; publicUrl: URL; stripeUrl: URL };

const here = { userAgent: "Demo", address: "127.0.0.1" };
const timezone = "UTC";
const emailOf = (member: Member) => `${member}@example.com`;

/** Plays each one's story through the domain's own verbs. Resolves to a key that nobody has redeemed. */
export async function playCast(stage: Stage): Promise<string> {
  await join(stage, "ada", (await buy(stage, emailOf("ada"))).key);
  const disputed = await buy(stage, emailOf("dora"));
  await join(stage, "dora", disputed.key);
  await atStripe(stage, "dispute", { session: disputed.sessionId, status: "needs_response" });
  const refunded = await buy(stage, emailOf("rhea"));
  await join(stage, "rhea", refunded.key);
  await atStripe(stage, "refund", { session: refunded.sessionId });
  for (const { sessionId } of [disputed, refunded]) await settle(stage.ctx, stage.checkout, sessionId);
  await join(stage, "tim", await handOut(stage.ctx, 30));
  await join(stage, "lena", (await buy(stage, emailOf("lena"))).key);
  await turnOnTwoFactor(stage.ctx, await join(stage, "theo", (await buy(stage, emailOf("theo"))).key));
  return (await buy(stage, "stranger@example.com")).key;
}

/** Opens a checkout, pays it at Stripe, and settles it. */
export async function buy(stage: Stage, email: string): Promise<{ sessionId: string; key: string }> {
  const opened = await openCheckout(stage.ctx, stage.checkout, {
    currency: "usd",
    publicUrl: stage.publicUrl,
    buyer: { accountId: null, email, browserHash: "" },
  });
  await atStripe(stage, "pay", { session: opened.id, email });
  const payment = await settle(stage.ctx, stage.checkout, opened.id);
  const [licence] = await stage.ctx.store.db
    .select()
    .from(licences)
    .where(eq(licences.paymentId, payment?.id ?? ""));
  if (!licence) throw new Error("a paid order has no licence");
  return { sessionId: opened.id, key: keyOf(stage.ctx, licence) };
}

/** A key from the operator's hand, without a payment; for so many days, or null for a lifetime. */
export async function handOut(ctx: Ctx, days: number | null): Promise<string> {
  const key = randomKey();
  await commit(ctx.store, [issue(ctx, { key, type: "premium", days })]);
  return key;
}

const join = (stage: Stage, member: Member, key: string) => {
  const { username, password } = cast[member];
  return register(stage.ctx, { username, email: emailOf(member), password, key, timezone }, here);
};

/** With the step before now, so that the code which an app shows now is still good. */
async function turnOnTwoFactor(ctx: Ctx, { session }: Entered): Promise<void> {
  const signedIn = await sessionReader(ctx)(session);
  if (!signedIn) throw new Error("theo is not signed in");
  const actor = { ...signedIn, browser: here };
  await offerAuthenticator(ctx, actor, theosSecret);
  await enableMfa(ctx, actor, await codeBefore(theosSecret, ctx.now()));
}

/** Does something on Stripe's side, through the stand-in's control. */
async function atStripe(stage: Stage, action: string, body: object): Promise<void> {
  const answer = await fetch(new URL(`/_control/${action}`, stage.stripeUrl), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`Stripe's stand-in refused: ${await answer.text()}`);
}
