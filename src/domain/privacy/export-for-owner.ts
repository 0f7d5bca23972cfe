import type { Actor } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import type { Pages } from "@/core/base/json-pieces";
import type { Account } from "../accounts/sessions/account";
import type { OwnSubscription } from "../payments/reading/subscriptions";
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
  const { unsubscribedAt } = held.account;
  const { id, username, email, timezone, createdAt, deviceResetAt, mfaEnabledAt } = account;
  const own = { id, username, email, timezone, createdAt, deviceResetAt, mfaEnabledAt, unsubscribedAt };
  const { device, link, payments, purchases, licences, sessions, security, tickets } = held;
  return {
    account: own,
    device: device && { label: device.label },
    devices: viewed(held.devices, ({ label, os, version, firstSeenAt, lastSeenAt, offlineUntil }) => ({
      label,
      os,
      version,
      firstSeenAt,
      lastSeenAt,
      offlineUntil,
    })),
    discord: link && { user: link.discordUserId, name: link.displayName, linkedAt: link.linkedAt },
    payments: viewed(payments, paymentView),
    subscriptions: viewed(held.subscriptions, subscriptionView),
    purchases: viewed(purchases, ({ createdAt: _at, ...purchase }) => purchase),
    licences: viewed(licences, ({ id: _id, ...licence }) => licence),
    tickets: viewed(tickets, (ticket) => ({
      ...ticketView(ticket),
      messages: viewed(held.messagesOf(ticket.id), messageView),
    })),
    sessions,
    security,
  };
}

async function* viewed<Row, View>(pages: Pages<Row>, view: (row: Row) => View): AsyncGenerator<View[]> {
  for await (const rows of pages) yield rows.map(view);
}

/** A payment as its account may see it: an account that redeemed a gift learns nothing about its buyer. */
const paymentView = (payment: ListedPayment) => {
  const { id, state, failureReason, method, createdAt, paidAt, intentId, offer, product, quantity } = payment;
  const { bill, email, keys, gift, invoiceUrl } = payment;
  return {
    id,
    state,
    failureReason,
    method,
    createdAt,
    paidAt,
    intentId,
    offer,
    product,
    quantity,
    bill,
    email,
    keys,
    gift,
    invoiceUrl,
  };
};

/** A subscription without the fields that only the shop needs. */
const subscriptionView = (subscription: OwnSubscription) => {
  const { id, stripeId, billingEmail, status, offer, amount, currency, every, key } = subscription;
  const { startedAt, renewsAt, nextAmount, endsAt, endedAt, changesTo, changesAt, cardBrand, cardLast4 } =
    subscription;
  return {
    id,
    stripeId,
    billingEmail,
    status,
    offer,
    amount,
    currency,
    every,
    startedAt,
    renewsAt,
    nextAmount,
    endsAt,
    endedAt,
    changesTo,
    changesAt,
    cardBrand,
    cardLast4,
    key,
  };
};

/** A ticket without the fields that only the shop needs. */
const ticketView = (ticket: Ticket) => {
  const { number, topic, via, question, state, openedAt, closedAt, closedBy, closeReason } = ticket;
  const { stars, ratingComment } = ticket;
  return {
    number,
    topic,
    via,
    question,
    state,
    openedAt,
    closedAt,
    closedBy,
    closeReason,
    stars,
    ratingComment,
  };
};

const messageView = (message: Message) => {
  const { author, authorName: name, content, at, editedAt, deletedAt, before, files } = message;
  return {
    author,
    name,
    content,
    at,
    editedAt,
    deletedAt,
    before,
    files: files.map((file) => ({ name: file.name, size: file.size, state: file.state })),
  };
};
