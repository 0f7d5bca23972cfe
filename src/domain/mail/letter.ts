/** What the shop writes to people. The gateway turns a letter into subject, HTML and text. */
export type Letter =
  | {
      kind: "receipt";
      productName: string;
      key: string;
      amount: number;
      currency: string;
      paidAt: Date;
      transactionId: string;
      registerUrl: string;
    }
  | { kind: "payment-disputed"; productName: string; transactionId: string }
  | {
      kind: "payment-refunded";
      productName: string;
      transactionId: string;
      amount: number;
      currency: string;
    };

/** One letter to one recipient. `messageId` is the same on every attempt, so that a repeat can be recognised. */
export type Envelope = { to: string; messageId: string; letter: Letter };

/**
 * Hands a letter to the mail server. Resolves once the server has accepted it (the final 250 of
 * RFC 5321 §4.2.5); rejects with `MailRejected` when no later attempt can help, and with any
 * other error when it is worth trying again.
 */
export type Mailer = { send(envelope: Envelope): Promise<void> };

/** The mail server refused this letter for good (a 5xx reply). */
export class MailRejected extends Error {
  override name = "MailRejected";
}
