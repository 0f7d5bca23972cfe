import { z } from "zod";
import { email, typedEmail } from "./accounts";
import { instant, level } from "./envelope";
import { promotionCode, quantity, recurring } from "./offers";
import { intervals } from "../vocabulary/kinds";
import { arePlainWords } from "../vocabulary/plain-words";
import { giftLimits } from "../vocabulary/bounds";
import { paymentStatuses } from "../vocabulary/statuses";

/** Plain text without control characters; only a message may have line breaks. */
const line = z.string().regex(/^\P{Cc}*$/u, "must be plain text on one line");
const message = z.string().regex(/^[\P{Cc}\n\r\t]*$/u, "must be plain text");

/** These words appear in one of the shop's emails, so they must not contain links. */
const inAnEmail = (words: z.ZodString, what: string) =>
  words.refine(arePlainWords, {
    message: `Write ${what} without web or email addresses, and leave a space after each period.`,
    params: { isSentence: true },
  });

const gift = z.object({
  email: email.describe("Where the key is mailed"),
  from: inAnEmail(line.max(giftLimits.from), "the name").optional().describe("Who it is from"),
  message: inAnEmail(message.max(giftLimits.message), "the message").optional(),
});

export const checkoutBody = z
  .object({
    currency: z.string().min(1).max(8),
    offer: z.string().min(1).max(64).optional().describe("The offer's id; without one, the first"),
    quantity: quantity.optional().describe("How many keys; one unless said otherwise"),
    gift: gift.optional().describe("For someone else; only with one key"),
    code: promotionCode.optional().describe("A promotion code to begin with"),
  })
  .refine(({ gift, quantity = 1 }) => !gift || quantity === 1, {
    path: ["quantity"],
    message: "must be 1 for a gift",
  });
export const checkout = z.object({ id: z.string(), url: z.url() });

/** The payment provider's public key; an answer outside the envelope. */
export const stripeKey = z.object({ key: z.string() });

/** Identifies a payment by its checkout session (for anyone) or its `payment_id` (for its owner). */
export const verifyQuery = z
  .object({
    session_id: z
      .string()
      .min(1)
      .max(255)
      .regex(/^[A-Za-z0-9_]+$/, "must have only letters, digits and underscores")
      .optional(),
    payment_intent: z
      .string()
      .min(1)
      .max(255)
      .regex(/^[A-Za-z0-9_-]+$/, "must have only letters, digits, underscores and dashes")
      .optional(),
  })
  .refine((query) => (query.session_id === undefined) !== (query.payment_intent === undefined), {
    path: ["session_id"],
    message: "Send session_id or payment_intent, not both.",
    params: { isSentence: true },
  });

export const paymentTitles = [
  "Payment Successful",
  "Payment Pending",
  "Payment Failed",
  "Payment Canceled",
  "Payment Disputed",
  "Payment Refunded",
] as const;

export const forAccount = ["added", "addable", "waiting", "redundant"] as const;

/** What an order cost and what the buyer paid, in minor units. */
export const bill = z.object({
  currency: z.string(),
  asked: z.int().describe("The price of what was ordered"),
  off: z.int().describe("Taken off by a promotion code"),
  tax: z.int().describe("Added to the price"),
  credit: z.int().describe("Paid from credit at Stripe; below 0 if added to it"),
  outside: z.int().describe("Settled elsewhere, such as in cash"),
  tax_included: z.int().describe("Tax within `paid`"),
  paid: z.int().describe("Received; 0 until it is paid"),
  refunded: z.int().describe("Given back since; lowers nothing above"),
});

const bought = {
  offer: z.string().describe("The offer's id"),
  offer_name: z.string().describe("Its name when it was bought"),
  level: level.describe("What its licenses were sold as, by the name of that time"),
  quantity: z.int(),
  license_keys: z.array(z.string()).describe("The keys, each whole or masked by the rule of `license_key`"),
  unusable_keys: z
    .array(z.int())
    .describe("Which of `license_keys`, from 0, a refund, a dispute or support ended or paused"),
  invoice_url: z.url().nullable().describe("Stripe's page of the invoice; null for strangers"),
  subscription: z.string().nullable().describe("The id of the subscription that it began or renewed"),
  renewal: z.boolean().describe("Whether it renewed a subscription"),
  gift: z
    .object({ email: z.string(), from: z.string().nullable(), message: z.string().nullable() })
    .nullable()
    .describe("Whom the key was mailed to; masked for anyone but the buyer"),
};

const term = z.object({
  days: z
    .int()
    .nullable()
    .describe("How long each key runs from redemption; null: lifetime, or while it is paid"),
  devices: z.int().describe("How many computers at a time"),
  recurring: recurring.nullable().describe("null: paid once"),
});

const nextCharge = z.object({
  at: instant,
  amount: z.int().describe("Minor units, with codes and tax"),
  currency: z.string(),
  every: z.enum(intervals),
  trial: z.boolean().describe("Whether it ends a trial"),
  reduced: z
    .boolean()
    .describe("Whether a code or credit makes it less than the price, perhaps for this once"),
  plus_tax: z.literal(true).optional().describe("Stripe didn't say the amount: tax comes on top"),
});

const orderAgain = z.object({
  offer: z.string(),
  quantity: z.int(),
  gift: z
    .object({ email: z.string(), from: z.string().nullable(), message: z.string().nullable() })
    .nullable(),
  without_trial: z.literal(true).optional().describe("Its trial was refused: ordered anew, it has none"),
});

export const purchaseResult = z.object({
  status: z.enum(paymentTitles),
  message: z.string(),
  id: z.string(),
  order: z.string().describe("Our own id of the payment; `id` in the list of payments"),
  created: z.int().describe("Unix seconds"),
  currency: z.string(),
  amount: z.int().describe("Minor units; what was paid"),
  bill,
  ...bought,
  term: term.nullable().describe("What each key gives; null for an order of a newer release"),
  redeemed_keys: z.array(z.int()).describe("Which of `license_keys`, from 0, someone has redeemed"),
  refunded_at: instant.nullable().describe("When the refund that left nothing was made"),
  email: z.string().nullable().describe("Masked if the key is"),
  sent_receipt: z.boolean(),
  seller: z
    .array(z.string())
    .describe("Who sold it, line by line; empty until it is sold, or if the shop names nobody"),
  license_key: z
    .string()
    .nullable()
    .describe("Whole for the buyer's browser and the owner; masked for anyone else"),
  for_account: z
    .enum(forAccount)
    .nullable()
    .describe(
      "Whether the key is on the signed-in viewer's account, could be added to it, or would add nothing; null if it is not theirs to use",
    ),
  next_charge: nextCharge
    .nullable()
    .describe("What the subscription charges next; null if nothing is due, and for strangers"),
  checkout_url: z
    .url()
    .nullable()
    .describe(
      "Where the buyer continues an order that is still open; null for anyone else, and once it ended",
    ),
  order_again: orderAgain
    .nullable()
    .describe(
      "What to order anew, only for the buyer of an order that expired or failed without a charge; else null",
    ),
});

export const payment = z.object({
  id: z.string(),
  status: z.enum(paymentStatuses),
  failure_reason: z.string().nullable(),
  payment_method: z.string().nullable(),
  license_key: z.string().nullable(),
  created_at: instant,
  payment_id: z.string().nullable().describe("Stripe's payment intent or, without one, our own id"),
  bill,
  ...bought,
  more_keys: z
    .int()
    .describe("How many keys there are beside `license_keys`, which lists ten; `verify-payment` tells all"),
});

/** Asks for an email that lists the orders of an address. */
export const findOrdersBody = z.object({ email: typedEmail });

/** Exchanges the token of a mailed link. */
export const mailedBody = z.object({ token: z.string().min(1).max(255) });
export const mailed = z.object({
  email: z.string().describe("The address that the mail went to"),
  key: z.string().describe("The key that it shows, which nobody has redeemed"),
});

export type CheckoutBody = z.infer<typeof checkoutBody>;
export type ForAccount = (typeof forAccount)[number];
export type Bill = z.infer<typeof bill>;
export type OrderAgain = z.infer<typeof orderAgain>;
export type Payment = z.infer<typeof payment>;
export type PurchaseResult = z.infer<typeof purchaseResult>;
