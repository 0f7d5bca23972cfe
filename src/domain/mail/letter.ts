import type { securityEvents } from "@/core/outbox-topics";
import type { Bill } from "@/contract/payments";

/** What the reader of mailed keys can do with them. */
export type KeyStep =
  | "register"
  /** They have an account, which the key would add to. */
  | "sign-in"
  /** Their account has a lifetime licence. */
  | "spare"
  /** On the reader's own account already. */
  | "added"
  /** On somebody's account. */
  | "used";

/** What to do next, and the page where it is done: the plain /register or /dashboard/license. */
export type NextStep = { step: KeyStep; stepUrl: string };

/** The letters that the shop sends. The gateway turns a letter into subject, HTML and text. */
export type Letter =
  | (AboutPayment &
      NextStep & {
        kind: "receipt";
        /** Empty if the key was mailed to somebody else, as a gift, or staff revoked it. */
        keys: string[];
        /** Where a gift's key was mailed; empty once the receiver was erased. */
        giftTo: string | null;
        bill: Bill;
        /** Who sells, line by line. */
        seller: string[];
        invoiceUrl: string | null;
        paidAt: Date;
      })
  /** What was bought with the address, for somebody who lost the receipts. */
  | { kind: "orders"; orders: ListedOrder[]; next: NextStep | null }
  /** The key that somebody else paid for. */
  | (NextStep & {
      kind: "gift";
      productName: string;
      key: string;
      from: string | null;
      message: string | null;
    })
  /** The key again, for a buyer who lost the receipt. */
  | (NextStep & { kind: "licence-key"; productName: string; key: string })
  /** Another key in the place of one that nobody had redeemed. */
  | (NextStep & { kind: "licence-key-replaced"; productName: string; key: string })
  | { kind: "recovery-code"; code: string; minutes: number }
  /** Support was asked to use the recipient's address for an account. */
  | { kind: "confirm-email"; username: string; confirmUrl: string; hours: number }
  | {
      kind: "security-notice";
      what: SecurityEvent;
      at: Date;
      /** The network address it came from. */
      address?: string;
      /** The browser or computer it came from, in words. */
      device?: string;
      /** `email-changed`: the new address. */
      newEmail?: string;
      /** `recovery-codes-used`: how many are left. */
      codesLeft?: number;
      /** Undoes the change for whoever holds the link. */
      undoUrl?: string;
      /** How many whole hours `undoUrl` works. */
      undoHours?: number;
    }
  | (AboutPayment & { kind: "payment-disputed" })
  /** A dispute was decided against the shop: the licences have ended. */
  | (AboutPayment & { kind: "payment-lost" })
  /** The licences are valid again. */
  | (AboutPayment & { kind: "payment-restored"; because: "dispute-won" | "refund-failed" })
  /** A delayed payment never came. */
  | (AboutPayment & { kind: "payment-failed" })
  | (AboutPayment & { kind: "payment-refunded"; bill: Bill })
  /** A refund failed that did not take the licences; `amount` came back, in minor units. */
  | (AboutPayment & { kind: "payment-part-refund-failed"; amount: number; bill: Bill })
  /** What the operator writes to all customers; `content` is Markdown. A buyer is one without an account. */
  | { kind: "announcement"; subject: string; content: string; isBuyer: boolean; unsubscribeUrl: string }
  /** A timed licence ends soon. */
  | {
      kind: "licence-ending";
      productName: string;
      endsAt: Date;
      daysLeft: number;
      licenceUrl: string;
      unsubscribeUrl: string;
    }
  /** Notices that need somebody, most urgent first; `further` counts those beyond, of `count` in all. */
  | { kind: "owner-notices"; notices: OwnersNotice[]; count: number; further: string | null };

/** A notice to the shop's owner: facts by name, or a sentence, and what to do. */
export type OwnersNotice = {
  title: string;
  facts: [name: string, value: string][];
  sentence: string | null;
  next: string | null;
};

type AboutPayment = {
  productName: string;
  /** How many licences it was for. */
  quantity: number;
  transactionId: string;
  /** The payment's page. Anybody may open it; only the owner sees the key there. */
  paymentUrl: string;
};

export type ListedOrder = {
  productName: string;
  /** Null for a gift's receiver, whom it doesn't concern. */
  bill: Bill | null;
  paidAt: Date;
  transactionId: string;
  /** A line for each key: the key, or whose account has it. */
  keys: string[];
};

export type SecurityEvent = (typeof securityEvents)[number];

/**
 * Letters handed to the mail server at the same time, each on a connection that is kept, by lane of the outbox. One
 * lane never waits for a connection of another, so a server that is slow for some letters delays no others.
 */
export const lettersAtOnce = { urgent: 2, mail: 5, bulk: 5, deferred: 1, owner: 1 };
/** A kill may repeat each of them once, since nobody can know afterwards whether the server had accepted it. */
export const lettersUnderWay = Object.values(lettersAtOnce).reduce((sum, few) => sum + few);

/** One letter to one recipient. `messageId` is the same on every attempt, so that a repeat can be recognised. */
export type Envelope = { to: string; messageId: string; letter: Letter };

/**
 * Hands a letter to the mail server. Resolves once the server has accepted it (the final 250 of
 * RFC 5321 §4.2.5); rejects with `MailRejected` when no later attempt can help, with `MailDeferred` when the server
 * asks to try this letter later, and with any other error when it is worth trying again.
 */
export type Mailer = { send(envelope: Envelope): Promise<void> };

/** The mail server is there and asks to try this letter later (a 4xx reply about its recipient or content). */
export class MailDeferred extends Error {
  override name = "MailDeferred";
}

/** The line broke after the mail server may have taken the letter: it is tried again, and may arrive twice. */
export class MailUncertain extends Error {
  override name = "MailUncertain";
}

/** The mail server refused this letter for good (a 5xx reply). */
export class MailRejected extends Error {
  override name = "MailRejected";
}
