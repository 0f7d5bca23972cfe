import { z } from "zod";

/** The kinds of staff notices, most urgent first; the operator's manual says what to do about each. */
export const noticeKinds = [
  "dispute",
  "fraud warning",
  "refund failed",
  "refund refused",
  "mismatch",
  "copied session",
  "trouble",
  "stuck",
  "webhooks",
  "stripe key",
  "backup",
  "refund",
  "partial refund",
  "letter rejected",
  "sale",
] as const;

/** Changes to an account that its owner is always told about. */
export const securityEvents = [
  "password-changed",
  "email-changed",
  "email-change-undone",
  "email-change-kept",
  "mfa-enabled",
  "mfa-removed",
  "token-reset",
  "device-reset",
  "recovered",
  "account-deleted",
  "recovery-codes-used",
] as const;

/** `what` adds a few words to the kind; `sentence` is the whole text, for notices that are not about a payment. */
const notice = z.object({
  // one that only a newer release knows is told all the same
  kind: z.enum(noticeKinds).catch("trouble"),
  what: z.string().optional(),
  sentence: z.string().optional(),
});
/** These jobs need nothing but their subject. */
const nothing = z.null();
/** Receipts are posted without a payload, and again once `invoice.find` has asked for their invoice. */
const receipt = z.object({ invoiceAsked: z.literal(true) }).nullable();

/**
 * Every topic of the outbox, with the schema of its jobs' payloads. Jobs posted by the previous release may still be
 * waiting, so a changed schema must keep accepting what that release wrote.
 */
const outboxTopics = {
  /** Letters about a payment; the subject is the payment's id. */
  "mail.receipt": receipt,
  "mail.gift": nothing,
  "mail.gift-again": nothing,
  "mail.payment-disputed": nothing,
  "mail.payment-lost": nothing,
  /** The end of a dispute; the release before posted failed refunds here too. */
  "mail.payment-restored": nothing,
  "mail.payment-refund-failed": nothing,
  "mail.payment-refunded": nothing,
  /** A part of what was refunded has come back; `amount` in minor units. */
  "mail.payment-part-refund-failed": z.object({ amount: z.int().positive() }),
  "mail.payment-failed": nothing,
  /** The receipt, sent again. */
  "mail.receipt-again": receipt,
  /** What was bought with an address that somebody typed. */
  "mail.orders": z.object({ email: z.string() }),
  /** A licence's key, sent again. */
  "mail.licence-key": nothing,
  /** A new key in place of one that was never redeemed; the subject is the licence's id. */
  "mail.licence-key-replaced": nothing,
  /** A timed licence ends soon; the subject is the licence's id. */
  "mail.licence-ending": nothing,
  /** An announcement to one customer; the subject has both ids. */
  "bulk.announcement": nothing,
  /** The same, after the mail server has asked to try that customer later. */
  "bulk.deferred": nothing,
  /** The code for recovering an account. */
  "mail.recovery-code": nothing,
  /** The link that confirms an address which support entered. */
  "mail.confirm-email": nothing,
  /** What happened to an account, sent to its owner at the time. */
  "mail.security-notice": z.object({
    accountId: z.string(),
    to: z.string(),
    what: z.enum(securityEvents),
    at: z.coerce.date<string>(),
    address: z.string(),
    device: z.string(),
    newEmail: z.string().optional(),
    codesLeft: z.number().optional(),
    undoId: z.string().optional(),
    undoUntil: z.coerce.date<string>().optional(),
  }),
  /** Asks Stripe for a receipt's invoice, and then posts the receipt; the subject is the payment's id. */
  "invoice.find": z.object({ receipt: z.enum(["mail.receipt", "mail.receipt-again"]) }),
  /** Keeps at Stripe how often each key of an order was replaced; the subject is the payment's id. */
  "editions.keep": nothing,
  /** Makes an approved refund at Stripe; the subject is the refund's id. */
  "stripe.refund": nothing,
  /** Settles what the sweep could not; the subject is the session's id or the payment intent's. */
  "payment.settle": z.union([
    z.object({ sessionId: z.string() }),
    z.object({ intentId: z.string(), warning: z.literal(true).optional() }),
  ]),
  /** Revokes tokens at Discord. */
  "discord.revoke": z.object({ sealed: z.string() }),
  /** Posts a release's notes in the news channel; the subject is the release's id. */
  "news.release": nothing,
  /** Makes one Discord user's premium role what it should be. */
  "member.reconcile": nothing,
  /** Notifies staff. */
  "staff.notice": notice,
  /** Mails the owner a notice that needs somebody. */
  "owner.notice": notice,
  /** Notifies staff of a sale; every other notice goes first. The subject is the payment's id and `:sale`. */
  "staff.sale": nothing,
  /** Makes Discord agree with a ticket's row. */
  "ticket.keep": nothing,
  /** Checks what happened to a ticket's channel and thread at Discord while the bot was away. */
  "ticket.look": nothing,
  /** Posts a sentence in a ticket's thread. */
  "ticket.say": z.object({ text: z.string() }),
  /** Removes what is left of an erased ticket at Discord. */
  "ticket.erase": z.object({ threadId: z.string().nullable(), cardId: z.string().nullable() }),
  /** Copies one file sent in a ticket; in a lane of its own, because files are slow and large. */
  "file.copy": nothing,
  /** The former name of `file.copy`. */
  "ticket.file": nothing,
  /** Deletes a file once no ticket refers to it any more. */
  "file.remove": nothing,
} as const satisfies Record<string, z.ZodType>;

type Topics = typeof outboxTopics;
export type Topic = keyof Topics;
export const allTopics = Object.keys(outboxTopics);
/** The payload a job is posted with. */
export type Posted<T extends Topic> = z.input<Topics[T]>;
/** The payload its handler reads. */
export type Payload<T extends Topic> = z.output<Topics[T]>;

/** Topics whose jobs have no payload. */
export type PlainTopic = { [T in Topic]: Posted<T> extends null ? T : never }[Topic];

/** A stored payload does not fit its topic. Retrying does not help until another release reads it. */
export class InvalidPayload extends Error {
  override name = "InvalidPayload";
  constructor(readonly code: string) {
    super(`The payload does not fit its topic: ${code}.`);
  }
}

/** Parses the JSON stored for a topic; throws {@link InvalidPayload} with the field that does not fit. */
export function parsePayload(topic: string, stored: string | null): unknown {
  if (!isTopic(topic)) throw new InvalidPayload("unknown topic");
  const parsed = outboxTopics[topic].safeParse(stored === null ? null : parseJson(stored));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new InvalidPayload(`${issue?.path.join(".") || "payload"} ${issue?.code}`);
}

function parseJson(stored: string): unknown {
  try {
    return JSON.parse(stored);
  } catch {
    throw new InvalidPayload("no JSON");
  }
}

const isTopic = (topic: string): topic is Topic => Object.hasOwn(outboxTopics, topic);
