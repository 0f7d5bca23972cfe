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

/** `what` adds a few words to the kind; `sentence` is the whole text, for notices that are not about a payment. */
const notice = z.object({
  // staff also get notices of a kind that only a newer release knows
  kind: z.enum(noticeKinds).catch("trouble"),
  what: z.string().optional(),
  sentence: z.string().optional(),
});
/** These jobs need nothing but their subject. */
export const nothing = z.null();

/**
 * Every topic of the outbox with the schema of its jobs' payloads, but those of emails: each email declares its own. Jobs
 * posted by the previous release may still be waiting, so a changed schema must keep accepting what that release wrote.
 */
const topicsOfShop = {
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
  /** Mails the owner a notice that needs somebody. */
  "owner.notice": notice,
  /** Deletes a file once no ticket refers to it any more. */
  "file.remove": nothing,
} as const satisfies Record<string, z.ZodType>;

/** Topics that need the bot. Where Discord is off, notices go to the log, and the others wait. */
const topicsOfBot = {
  /** Posts a release's notes in the news channel; the subject is the release's id. */
  "news.release": nothing,
  /** Makes one Discord user's premium role what it should be. */
  "member.reconcile": nothing,
  /** Notifies staff. */
  "staff.notice": notice,
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
} as const satisfies Record<string, z.ZodType>;

const outboxTopics = { ...topicsOfShop, ...topicsOfBot };

type Topics = typeof outboxTopics;
type JobTopic = keyof Topics;
/** `src/domain/handlers.ts` has their handlers, on which every process works. */
export type ShopTopic = keyof typeof topicsOfShop;
/** `bot/bot-services.ts` has their handlers, which come and go with the bot's session. */
export type BotTopic = keyof typeof topicsOfBot;
/** The topics of emails; each is declared with its payload, texts and handler in one file. */
export type EmailTopic = `mail.${string}` | `bulk.${string}`;
export type Topic = JobTopic | EmailTopic;
/** All topics but those of emails. */
export const jobTopics = Object.keys(outboxTopics);

/** What declares a topic together with its payload's schema: an email. */
export type DeclaredTopic<S extends z.ZodType = z.ZodType> = {
  readonly topic: EmailTopic;
  readonly payload: S;
};
export type TopicOrTemplate = JobTopic | DeclaredTopic;

/** The payload a job is posted with. */
export type PayloadOf<T extends TopicOrTemplate> =
  T extends DeclaredTopic<infer S> ? z.input<S> : T extends JobTopic ? z.input<Topics[T]> : never;
/** The payload its handler reads; an email's handler parses it. */
export type Payload<T extends Topic> = T extends JobTopic ? z.output<Topics[T]> : unknown;

/** Topics whose jobs have no payload. */
export type PlainTopic = { [T in JobTopic]: PayloadOf<T> extends null ? T : never }[JobTopic];

/** A stored payload does not fit its topic. Retrying does not help until another release reads it. */
export class InvalidPayload extends Error {
  override name = "InvalidPayload";
  constructor(readonly code: string) {
    super(`The payload does not fit its topic: ${code}.`);
  }
}

/**
 * Parses the JSON stored for a topic; throws {@link InvalidPayload} with the field that does not fit. Of an email's,
 * only the JSON is parsed: `fitted` does the rest with the schema in the email's file.
 */
export function parsePayload(topic: string, stored: string | null): unknown {
  const value = stored === null ? null : parseJson(stored);
  if (isJobTopic(topic)) return fitted(outboxTopics[topic], value);
  if (/^(mail|bulk)\./.test(topic)) return value;
  throw new InvalidPayload("unknown topic");
}

/** A payload as its schema reads it; throws {@link InvalidPayload} with the field that does not fit. */
export function fitted<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
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

const isJobTopic = (topic: string): topic is JobTopic => Object.hasOwn(outboxTopics, topic);
