import { z } from "zod";
import { noPayload, type Topic } from "@/core/database/topic";

/** The kinds of staff notices, most urgent first; the operator's manual says what to do about each. */
export const noticeKinds = [
  "dispute",
  "fraud warning",
  "refund failed",
  "refund refused",
  "refund proposed",
  "address proposed",
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
  // staff also get notices of kinds that only a newer release knows
  kind: z.enum(noticeKinds).catch("trouble"),
  what: z.string().optional(),
  sentence: z.string().optional(),
});
type LaneName =
  | "urgent"
  | "mail"
  | "bulk"
  | "deferred"
  | "owner"
  | "invoice"
  | "editions"
  | "stripe"
  | "payment"
  | "discord"
  | "file"
  | "job"
  | "release"
  | "news"
  | "member"
  | "roles"
  | "staff"
  | "ticket";

type OwnTopic = Topic & { lane: LaneName };

/** Sends the owner an email of a notice that needs a person; see `src/domain/notices/emails/owner-notices.ts`. */
export const ownerNotice = {
  name: "owner.notice",
  lane: "owner",
  payload: notice,
} as const satisfies OwnTopic;

/**
 * Topics that every process runs, each with the handler of its name in `src/domain/handlers.ts`. Each email declares
 * its own topic in `src/domain/<noun>/emails`.
 */
export const shopTopics = {
  /** Asks Stripe for a receipt's invoice, then enqueues the receipt; the subject is the payment's id. */
  findInvoice: {
    name: "invoice.find",
    lane: "invoice",
    payload: z.object({ receipt: z.enum(["mail.receipt", "mail.receipt-again"]) }),
  },
  /** Stores at Stripe how often each key of an order was replaced; the subject is the payment's id. */
  keepKeyVersions: { name: "editions.keep", lane: "editions", payload: noPayload },
  /** Makes an approved refund at Stripe; the subject is the refund's id. */
  makeRefund: { name: "stripe.refund", lane: "stripe", priority: true, payload: noPayload },
  /** Settles a payment that reconciling could not; the subject is the session's id or the payment intent's. */
  settleAgain: {
    name: "payment.settle",
    lane: "payment",
    payload: z.union([
      z.object({ sessionId: z.string() }),
      z.object({ subscription: z.string() }),
      z.object({ customer: z.string() }),
      z.object({ invoice: z.string() }),
      z.object({
        intentId: z.string(),
        warning: z.literal(true).optional(),
        refund: z.literal(true).optional(),
      }),
    ]),
  },
  /** Makes Stripe agree with what a subscription should be; the subject is Stripe's id of it. */
  agreeWithStripe: { name: "stripe.agree", lane: "stripe", payload: noPayload },
  /** Bills a subscription's customer at its order's address, if Stripe has the former one; the subject is the order's id. */
  correctBilling: {
    name: "stripe.correct-billing",
    lane: "stripe",
    payload: z.object({ former: z.string() }),
  },
  /** Expires an account's open checkouts of subscriptions at Stripe; the subject is the account's id. */
  expireCheckouts: { name: "stripe.expire-checkouts", lane: "stripe", payload: noPayload },
  /** Ends a promotion code once its uses are taken; the subject is Stripe's id of it. `from`: a page of open sessions. */
  endCode: {
    name: "stripe.end-code",
    lane: "stripe",
    payload: z.object({ limit: z.int().positive(), from: z.string().nullable() }),
  },
  revokeTokens: { name: "discord.revoke", lane: "discord", payload: z.object({ sealed: z.string() }) },
  /** Works on what staff have done to many licences; the subject is the job's id. */
  runLicenceJob: { name: "job.licences", lane: "job", payload: noPayload },
  /** Deletes a file once no ticket refers to it any more. */
  removeFile: { name: "file.remove", lane: "file", payload: noPayload },
  /** Publishes a finished upload, in its own lane because builds are large; the subject is the upload's id. */
  publishUpload: { name: "release.upload", lane: "release", payload: noPayload },
  /** Deletes the parts of an upload that is over; the subject is its id. */
  removeParts: { name: "file.part", lane: "file", payload: noPayload },
  /** Deletes a file that was sent to be imported; the subject is its id. */
  removeImportFile: { name: "file.import", lane: "file", payload: noPayload },
} as const satisfies Record<string, OwnTopic>;

/**
 * Topics that need the bot. `bot/bot-services.ts` has their handlers by name, which exist while the bot's session
 * lasts. Where Discord is off, notices go to the log, and other jobs wait.
 */
export const botTopics = {
  /** Posts a release's notes in the news channel; the subject is the release's id. */
  postReleaseNews: { name: "news.release", lane: "news", payload: noPayload },
  /** Gives one Discord user roles or takes them away, as their licences require; the subject is the user's id at Discord. */
  reconcileMember: { name: "member.reconcile", lane: "member", payload: noPayload },
  /** After a level's role has changed: checks it, and requests `moveMember` for everybody whose roles differ now. */
  moveRoles: { name: "roles.move", lane: "roles", payload: noPayload },
  /** The same as `reconcileMember`, in a lane of its own, so that a new customer doesn't wait for thousands to be moved. */
  moveMember: { name: "roles.move-member", lane: "roles", payload: noPayload },
  notifyStaff: { name: "staff.notice", lane: "staff", payload: notice },
  /** Notifies staff of a sale; every other notice goes first. The subject is the payment's id and `:sale`. */
  notifyStaffOfSale: { name: "staff.sale", lane: "staff", payload: noPayload },
  /** Makes Discord agree with a ticket's row; the subject is the ticket's id. */
  syncTicket: { name: "ticket.keep", lane: "ticket", payload: noPayload },
  /** Checks what happened to a ticket's channel and thread at Discord while the bot was away. */
  inspectTicket: { name: "ticket.look", lane: "ticket", payload: noPayload },
  /** Posts a sentence in a ticket's thread. */
  postQueuedMessage: { name: "ticket.say", lane: "ticket", payload: z.object({ text: z.string() }) },
  /** Removes an erased ticket's remains at Discord. */
  eraseAtDiscord: {
    name: "ticket.erase",
    lane: "ticket",
    payload: z.object({ threadId: z.string().nullable(), cardId: z.string().nullable() }),
  },
  /** Copies one file sent in a ticket, in its own lane because files are slow and large. */
  copyFile: { name: "file.copy", lane: "file", payload: noPayload },
} as const satisfies Record<string, OwnTopic>;
