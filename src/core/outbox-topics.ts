import { z } from "zod";

/** All that staff are told of, most urgent first; the operator's manual says of each what to do. */
export const noticeKinds = [
  "dispute",
  "fraud warning",
  "refund failed",
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

/** What happened to an account that its owner must hear of, whoever did it. */
export const securityEvents = [
  "password-changed",
  "email-changed",
  "email-change-undone",
  "mfa-enabled",
  "mfa-removed",
  "token-reset",
  "device-reset",
  "recovered",
  "account-deleted",
  "recovery-codes-used",
] as const;

/** The subject says it all. */
const nothing = z.null();

/**
 * Every topic of the outbox and what its jobs carry besides their subject. Jobs that the release before posted may
 * still wait: a change to a schema must go on accepting what that one wrote.
 */
const outboxTopics = {
  /** Letters about a payment; the subject is the payment's id. */
  "mail.receipt": nothing,
  "mail.payment-disputed": nothing,
  "mail.payment-lost": nothing,
  "mail.payment-restored": nothing,
  "mail.payment-refunded": nothing,
  "mail.payment-failed": nothing,
  /** A licence's key once more. */
  "mail.licence-key": nothing,
  /** The key that took the place of one that nobody had redeemed; the subject is the licence's id. */
  "mail.licence-key-replaced": nothing,
  /** The code of a recovery. */
  "mail.recovery-code": nothing,
  /** What happened to an account, for its owner at the time. */
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
  /** Ends tokens at Discord. */
  "discord.revoke": z.object({ sealed: z.string() }),
  /** Brings one Discord user's premium role to what it should be. */
  "member.reconcile": nothing,
  /**
   * Tells staff something. `what`: in a few words, where it says more than its kind; `sentence`: all of it, where it
   * isn't about a payment.
   */
  "staff.notice": z.object({
    kind: z.enum(noticeKinds),
    what: z.string().optional(),
    sentence: z.string().optional(),
  }),
  /** Makes Discord look as a ticket's row says. */
  "ticket.keep": nothing,
  /** Finds out what became of a ticket's places at Discord while the bot was away. */
  "ticket.look": nothing,
  /** Says a sentence in a ticket's thread. */
  "ticket.say": z.object({ text: z.string() }),
  /** Removes what is left of an erased ticket at Discord. */
  "ticket.erase": z.object({ threadId: z.string().nullable(), cardId: z.string().nullable() }),
  /** Copies one file that was sent in a ticket; in a lane of its own, as files are slow and large. */
  "file.copy": nothing,
  /** The name that `file.copy` had before. */
  "ticket.file": nothing,
  /** Removes a file's bytes once no ticket holds that file any more. */
  "file.remove": nothing,
} as const satisfies Record<string, z.ZodType>;

type Topics = typeof outboxTopics;
export type Topic = keyof Topics;
/** What a job is posted with. */
export type Posted<T extends Topic> = z.input<Topics[T]>;
/** What its handler reads. */
export type Payload<T extends Topic> = z.output<Topics[T]>;

/** Topics whose jobs carry nothing but their subject. */
export type PlainTopic = { [T in Topic]: Posted<T> extends null ? T : never }[Topic];

/** What is stored does not fit its topic. Trying again does not help until another release reads it. */
export class InvalidPayload extends Error {
  override name = "InvalidPayload";
  constructor(readonly code: string) {
    super(`The payload does not fit its topic: ${code}.`);
  }
}

/** Reads the JSON that was stored for a topic; throws {@link InvalidPayload} with the field that does not fit. */
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
