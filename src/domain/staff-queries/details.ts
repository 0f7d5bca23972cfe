import { and, desc, eq, isNull } from "drizzle-orm";
import { toWire } from "@/contract/wire/to-wire";
import {
  type CustomerDetails,
  deskLink,
  deviceRow,
  type LicenceDetails,
  type PaymentDetails,
  type SubscriptionDetails,
  type TicketDetails,
} from "@/contract/wire/desk/details";
import { taxFacts } from "@/contract/wire/security";
import type { Actor } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { pageRows } from "@/core/database/pages";
import { Refusal } from "@/core/base/refusal";
import { seatsOf as computersOf } from "../devices/read";
import { type Link, linkOf } from "../discord/links";
import { heldRoleNames } from "../discord/role-status";
import { authorize } from "../permissions";
import { accounts } from "../schema/accounts";
import { type Payment, payments } from "../schema/payments";
import { staff } from "../schema/staff";
import { tickets } from "../schema/tickets";
import { movementsOf, taxFactsOf } from "../payments/books/tax-facts";
import { mailFates } from "../payments/corrections/lost-receipts";
import { offerOf } from "../payments/port/order-terms";
import { paymentOutcome } from "../payments/reading/payments";
import { licencesOfPayment } from "../licences/entitlement/sold";
import { corrections } from "../schema/corrections";
import { refunds } from "../schema/refunds";
import {
  paidPaymentsOfSubscription,
  paymentsOfSubscription,
  subscriptionOf,
} from "../payments/reading/subscriptions";
import { endsIfRefunded } from "../payments/state/status-after-money-back";
import { licenceExtensions, licences } from "../schema/licences";
import { cardOf, plusTax, subscriptions } from "../schema/subscriptions";
import { type Message, newestMessages } from "../tickets/reading/messages";
import { expectTicket, type Ticket } from "../tickets/reading/queries";
import { timelineOf, timelineOfAccount } from "./audit";
import { customerRows } from "./customers";
import { licenceList, licenceRows, licencesWith } from "./licences";
import { newest, newestPlaces, pageOfPlaces } from "./newest";
import { notesAbout } from "./notes";
import { paymentList, paymentRows, paymentsWith } from "./payments";
import { subscriptionList, subscriptionRows, subscriptionsWith } from "./subscriptions";
import { authorOf, ticketList, ticketRows } from "./tickets";
import { correctionRows, refundRows } from "./proposals";
import { storedActorId } from "./actors";

const first = { after: null, most: pageRows };
const idsOf = (places: { id: string }[]) => places.map(({ id }) => id);

/** What staff see of a customer: the account, what belongs to it, and its history. Refuses with `not_found`. */
export async function customerDetails(ctx: Ctx, actor: Actor, id: string): Promise<CustomerDetails> {
  authorize(actor, "desk.read");
  const [account] = await ctx.store.db
    .select({ timezone: accounts.timezone, role: staff.role })
    .from(accounts)
    .leftJoin(staff, eq(staff.accountId, accounts.id))
    .where(eq(accounts.id, id));
  const [row] = await customerRows(ctx, [id]);
  if (!account || !row) throw new Refusal("not_found", { sentence: "There is no such customer." });
  const link = await linkOf(ctx, id);
  return {
    ...row,
    staff: account.role,
    timezone: account.timezone,
    timeline: await timelineOfAccount(ctx, id),
    licences: await licenceRows(
      ctx,
      idsOf(await pageOfPlaces(ctx, licenceList, await licencesWith(ctx, { customer: id }), first)),
    ),
    payments: await paymentRows(
      ctx,
      idsOf(await pageOfPlaces(ctx, paymentList, await paymentsWith(ctx, { customer: id }), first)),
    ),
    devices: await devicesOf(ctx, id),
    subscriptions: await subscriptionRows(
      ctx,
      idsOf(await pageOfPlaces(ctx, subscriptionList, subscriptionsWith(ctx, { customer: id }), first)),
    ),
    tickets: await ticketsOf(ctx, id, link),
    notes: await notesAbout(ctx, id),
    link: link ? await linkOnDesk(ctx, link) : null,
  };
}

async function devicesOf(ctx: Ctx, accountId: string): Promise<CustomerDetails["devices"]> {
  const { devices } = await computersOf(ctx, accountId);
  return devices.slice(0, pageRows).map((device) => toWire(deviceRow, device));
}

/** The account's tickets, and those that its Discord user opened without an account. */
async function ticketsOf(ctx: Ctx, customer: string, link: Link | undefined) {
  const { accountId, discordUserId } = tickets;
  const unowned = link ? [and(isNull(accountId), eq(discordUserId, link.discordUserId))] : [];
  const conditions = [eq(accountId, customer), ...unowned];
  return ticketRows(ctx, idsOf(await newestPlaces(ctx, ticketList, conditions, first)));
}

const linkOnDesk = async (ctx: Ctx, link: Link) =>
  toWire(deskLink, {
    ...link,
    discordId: link.discordUserId,
    name: link.displayName,
    roles: await heldRoleNames(ctx, link),
  });

/** What staff see of a payment, what belongs to it, and its history. Refuses with `payment_unknown`. */
export async function paymentDetails(ctx: Ctx, actor: Actor, id: string): Promise<PaymentDetails> {
  authorize(actor, "desk.read");
  const [payment] = await ctx.store.db.select().from(payments).where(eq(payments.id, id));
  const [row] = await paymentRows(ctx, [id]);
  if (!payment || !row) throw new Refusal("payment_unknown");
  const licences = await licenceRows(ctx, idsOf((await licencesOfPayment(ctx, id)).slice(0, pageRows)));
  const subscription = await itsSubscription(ctx, payment);
  return {
    ...row,
    product: offerOf(payment).product,
    method: payment.method,
    failure_reason: paymentOutcome(payment).failureReason,
    invoice_url: payment.invoiceUrl,
    gift: giftOf(payment),
    emails: await mailFates(ctx, payment),
    tax_facts: toWire(taxFacts, taxFactsOf(payment, await movementsOf(ctx, [payment]))),
    fraud_warned_at: payment.fraudWarnedAt?.toISOString() ?? null,
    timeline: await timelineOf(ctx, [
      { kind: "payment", id },
      ...licences.slice(0, mostFollowed).map((licence) => ({ kind: "licence", id: licence.id })),
    ]),
    licences,
    subscription,
    refunds: await refundsOf(ctx, id),
    corrections: await correctionsOf(ctx, subscription?.id ?? id),
  };
}

/** How many licences of an order have their events in its timeline; each costs a query for every kind of event. */
const mostFollowed = 5;

function giftOf({ giftEmail: email, giftFrom: from, giftMessage: message }: Payment): PaymentDetails["gift"] {
  return email === null ? null : { email, from, message };
}

/** The subscription that the payment began or renewed, with its licence. */
async function itsSubscription(ctx: Ctx, payment: Payment): Promise<PaymentDetails["subscription"]> {
  const held = await subscriptionOf(ctx, payment);
  if (!held) return null;
  const paid = await paidPaymentsOfSubscription(ctx, held.stripeId);
  const [row] = await subscriptionRows(ctx, [held.id]);
  if (!row) return null;
  const sold = await licencesOfPayment(ctx, row.id);
  const [licence = null] = await licenceRows(ctx, idsOf(sold));
  const refunded = paid.find(({ id }) => id === payment.id);
  return {
    ...row,
    licence,
    ends_if_refunded: refunded !== undefined && endsIfRefunded(paid, refunded, ctx.now()),
  };
}

/** The payment's newest refunds; a payment has few. */
async function refundsOf(ctx: Ctx, paymentId: string) {
  const found = await ctx.store.db
    .select({ id: refunds.id, at: refunds.createdAt })
    .from(refunds)
    .where(eq(refunds.paymentId, paymentId));
  return refundRows(ctx, idsOf(newest(found, pageRows)));
}

async function correctionsOf(ctx: Ctx, paymentId: string) {
  const found = await ctx.store.db
    .select({ id: corrections.id, at: corrections.createdAt })
    .from(corrections)
    .where(eq(corrections.paymentId, paymentId));
  return correctionRows(ctx, idsOf(newest(found, pageRows)));
}

/** What staff see of a licence, the payment that bought it, and its history. Refuses with `not_found`. */
export async function licenceDetails(ctx: Ctx, actor: Actor, id: string): Promise<LicenceDetails> {
  authorize(actor, "desk.read");
  const [licence] = await ctx.store.db.select().from(licences).where(eq(licences.id, id));
  const [row] = await licenceRows(ctx, [id]);
  if (!licence || !row) throw new Refusal("not_found", { sentence: "There is no such license." });
  const bought = row.payment === null ? [] : await paymentRows(ctx, [row.payment]);
  return {
    ...row,
    suspended_at: licence.suspendedAt?.toISOString() ?? null,
    revoked_at: licence.revokedAt?.toISOString() ?? null,
    extensions: await extensionsOf(ctx, id),
    bought_with: bought[0] ?? null,
    timeline: await timelineOf(ctx, [
      { kind: "licence", id },
      ...bought.map((payment) => ({ kind: "payment", id: payment.id })),
    ]),
  };
}

async function extensionsOf({ store: { db } }: Ctx, licenceId: string) {
  const { days, addedAt } = licenceExtensions;
  const rows = await db
    .select({ days, addedAt })
    .from(licenceExtensions)
    .where(eq(licenceExtensions.licenceId, licenceId))
    .orderBy(desc(addedAt))
    .limit(pageRows);
  return rows.map((row) => ({ days: row.days, added_at: row.addedAt.toISOString() }));
}

/** What staff see of a subscription, what belongs to it, and its history. Refuses with `not_found`. */
export async function subscriptionDetails(ctx: Ctx, actor: Actor, id: string): Promise<SubscriptionDetails> {
  authorize(actor, "desk.read");
  const [held] = await ctx.store.db.select().from(subscriptions).where(eq(subscriptions.id, id));
  const [row] = await subscriptionRows(ctx, [id]);
  if (!held || !row) throw new Refusal("not_found");
  const licences = idsOf(await licencesOfPayment(ctx, id));
  const paid = idsOf((await paymentsOfSubscription(ctx, held.stripeId)).slice(0, pageRows));
  return {
    ...row,
    stripe_id: held.stripeId,
    next_amount: held.nextAmount,
    ...plusTax(held),
    changes_to: held.changesTo,
    changes_at: held.changesAt?.toISOString() ?? null,
    card: cardOf(held),
    looked_at: held.checkedAt.toISOString(),
    timeline: await timelineOf(ctx, [
      { kind: "subscription", id },
      ...licences.map((licence) => ({ kind: "licence", id: licence })),
      ...paid.slice(0, mostPaymentsFollowed).map((payment) => ({ kind: "payment", id: payment })),
    ]),
    licences: await licenceRows(ctx, licences),
    payments: await paymentRows(ctx, paid),
  };
}

/** How many payments have their events in the timeline; each costs a query for every kind of event. */
const mostPaymentsFollowed = 3;

/** What staff see of a ticket: its newest messages with their notes, and its history. Refuses with `ticket_unknown`. */
export async function ticketDetails(ctx: Ctx, actor: Actor, id: string): Promise<TicketDetails> {
  authorize(actor, "desk.read");
  const ticket = await expectTicket(ctx, id);
  const [row] = await ticketRows(ctx, [id]);
  if (!row) throw new Refusal("ticket_unknown");
  const messages = await newestMessages(ctx, id, { after: null, most: pageRows }, "staff");
  return {
    ...row,
    via: ticket.via,
    discord_id: ticket.discordUserId,
    question: ticket.question,
    claimed_by: ticket.claimedBy && storedActorId(ticket.claimedBy),
    closed_by: ticket.closedBy === "member" ? "customer" : ticket.closedBy,
    close_reason: ticket.closeReason,
    stars: ticket.stars,
    rating_comment: ticket.ratingComment,
    messages: messages.toReversed().map((message) => messageOnDesk(ticket, message)),
    timeline: await timelineOf(ctx, [{ kind: "ticket", id }]),
  };
}

const messageOnDesk = (ticket: Ticket, message: Message): TicketDetails["messages"][number] => ({
  id: message.id,
  author: authorOf(ticket, message),
  name: message.authorName,
  text: message.content,
  at: message.at.toISOString(),
  edited_at: message.editedAt?.toISOString() ?? null,
  deleted: message.deletedAt !== null,
  files: message.files.map(({ id, name, size, state, type }) => ({
    id,
    name,
    size,
    state: state === "copying" ? "waiting" : state,
    picture: type?.startsWith("image/") ?? false,
  })),
});
