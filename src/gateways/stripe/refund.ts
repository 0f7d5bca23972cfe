import type Stripe from "stripe";

type Wanted = { id: string; intentId: string; amount: number };

/**
 * The id is both the idempotency key and part of the refund's metadata: Stripe forgets keys after a day, and a shop may
 * be down for longer. https://docs.stripe.com/api/idempotent_requests
 */
export async function refund(stripe: Stripe, { id, intentId, amount }: Wanted): Promise<string> {
  const { data } = await stripe.refunds.list({ payment_intent: intentId, limit: 100 });
  const known = data.find(({ metadata }) => metadata?.["refund"] === id);
  if (known) return known.id;
  const made = await stripe.refunds.create(
    { payment_intent: intentId, amount, metadata: { refund: id } },
    { idempotencyKey: id },
  );
  return made.id;
}
