import { Explained } from "@/core/log/log";
import type { Block } from "./blocks";

/** What a recipient reads. The gateway renders the blocks as HTML and as plain text. */
export type Email = {
  /** Its name in the customer's history and in notices to staff. */
  kind: string;
  subject: string;
  /** The fact that mail programs show next to the subject, where others may see it: never a key or a code. */
  preheader: string;
  /**
   * A heading, a sentence, a panel (a key, a code, an amount), a button, the facts, small print: each if the email has
   * it, in that order.
   */
  blocks: Block[];
  /** The sentence below the email that says why it came to this address. */
  why: string;
  /** A file of text. */
  attachment?: { name: string; text: string };
  /** For the shop's owner, whom support can't help. */
  toOwner?: boolean;
  /** Unsubscribes at one click (RFC 8058), and is a link after `why`. */
  unsubscribeUrl?: string;
  /** Separate connections: for an email that a person waits for, or for emails that may wait. */
  connections?: "urgent" | "bulk";
};

/**
 * Emails handed to the mail server at the same time, each on a connection that is kept, by lane of the outbox. One
 * lane never waits for a connection of another, so a server that is slow for some emails delays no others.
 */
export const emailsAtOnce = { urgent: 2, mail: 5, bulk: 5, deferred: 1, owner: 1 };
/** A kill may repeat each of them once, because nobody can know afterwards whether the server had accepted it. */
export const emailsUnderWay = Object.values(emailsAtOnce).reduce((sum, few) => sum + few);

/** One email to one recipient. `messageId` is the same on every attempt, so that a repeat can be recognised. */
export type Envelope = { to: string; messageId: string; email: Email };

/**
 * Hands an email to the mail server. Resolves once the server has accepted it (the final 250 of RFC 5321 §4.2.5);
 * rejects with `MailRejected` if no later attempt can help, with `MailRefused` if the server refuses for another reason
 * than the recipient, with `MailDeferred` if it asks to try this email later, and with any other error if another attempt
 * may help.
 */
export type Mailer = { send(envelope: Envelope): Promise<void> };

/** The mail server asks to try this email later (a 4xx reply about its recipient or content). */
export class MailDeferred extends Error {
  override name = "MailDeferred";
}

/**
 * The connection broke after the mail server may have taken the email: the shop tries again, and it may arrive twice.
 */
export class MailUncertain extends Error {
  override name = "MailUncertain";
}

/** The mail server takes no mail for this recipient (a 5xx reply). */
export class MailRejected extends Error {
  override name = "MailRejected";
  constructor(
    message: string,
    /** Whether the reply says so by its enhanced code; otherwise it may refuse every recipient so. */
    readonly isSure: boolean,
    options: ErrorOptions = {},
  ) {
    super(message, options);
  }
}

/** The mail server refused with a 5xx reply that isn't about the recipient: its first words, without addresses. */
export class MailRefused extends Explained {
  constructor(
    message: string,
    /** It refused the connection, the login or the sender, before it was told a recipient. */
    readonly isBeforeRecipient: boolean,
    options: ErrorOptions = {},
  ) {
    super(message, options);
  }
}
