import type { Actor } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import type { Pages } from "@/core/base/json-pieces";
import type { Account } from "../accounts/sessions/account";
import type { OwnSubscription } from "../payments/reading/subscriptions";
import type { TaxFacts } from "../payments/books/tax-facts";
import type { ListedPayment } from "../payments/reading/payments";
import type { Message } from "../tickets/reading/messages";
import type { Ticket } from "../tickets/reading/queries";
import { exportAccount } from "./export";

/**
 * Everything stored about an account, for staff to hand to its owner. Reads its lists page by page, as the caller takes
 * them.
 */
export async function exportForOwner(ctx: Ctx, actor: Actor, account: Account) {
  const held = await exportAccount(ctx, actor, { account, session: { id: "" } });
  const { device, link, sessions, security } = held;
  return {
    account: {
      ...pick(account, "id", "username", "email", "timezone", "createdAt", "deviceResetAt", "mfaEnabledAt"),
      unsubscribedAt: held.account.unsubscribedAt,
    },
    device: device && { label: device.label },
    devices: viewed(held.devices, (one) =>
      pick(one, "label", "os", "version", "firstSeenAt", "lastSeenAt", "offlineUntil"),
    ),
    discord: link && { user: link.discordUserId, name: link.displayName, linkedAt: link.linkedAt },
    payments: viewed(held.payments, paymentView),
    subscriptions: viewed(held.subscriptions, subscriptionView),
    purchases: viewed(held.purchases, ({ createdAt: _at, ...purchase }) => purchase),
    licences: viewed(held.licences, ({ id: _id, ...licence }) => licence),
    tickets: viewed(held.tickets, (ticket) => ({
      ...ticketView(ticket),
      messages: viewed(held.messagesOf(ticket.id), messageView),
    })),
    sessions,
    security,
    notes: viewed(held.notes, (note) => pick(note, "at", "text")),
  };
}

/** These fields of a row, in this order. */
const pick = <Row extends object, Name extends keyof Row>(row: Row, ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>;

async function* viewed<Row, View>(pages: Pages<Row>, view: (row: Row) => View): AsyncGenerator<View[]> {
  for await (const rows of pages) yield rows.map(view);
}

/** A payment as its account may see it: an account that redeemed a gift learns nothing about its buyer. */
const paymentView = (payment: ListedPayment & { taxFacts: TaxFacts | null }) => ({
  ...pick(payment, "id", "state", "failureReason", "method", "createdAt", "paidAt", "intentId", "offer"),
  ...pick(payment, "product", "quantity", "bill", "email", "keys", "gift", "invoiceUrl", "taxFacts"),
});

/** A subscription without the fields that only the shop needs. */
const subscriptionView = (one: OwnSubscription) => ({
  ...pick(one, "id", "stripeId", "billingEmail", "status", "offer", "amount", "currency", "every"),
  ...pick(one, "startedAt", "renewsAt", "nextAmount", "endsAt", "endedAt", "changesTo", "changesAt"),
  ...pick(one, "cardBrand", "cardLast4", "key"),
});

/** A ticket without the fields that only the shop needs. */
const ticketView = (ticket: Ticket) => ({
  ...pick(ticket, "number", "topic", "via", "question", "state", "openedAt", "closedAt", "closedBy"),
  ...pick(ticket, "closeReason", "stars", "ratingComment"),
});

const messageView = (message: Message) => ({
  ...pick(message, "author"),
  name: message.authorName,
  ...pick(message, "content", "at", "editedAt", "deletedAt", "before"),
  files: message.files.map((file) => pick(file, "name", "size", "state")),
});
