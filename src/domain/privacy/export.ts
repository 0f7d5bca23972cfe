import { and, inArray } from "drizzle-orm";
import { withoutIndex } from "@/core/database/without-index";
import type { Actor } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { everyPage, type Place } from "@/core/database/pages";
import { maxKeysPerOrder } from "@/contract/vocabulary/bounds";
import { securityLogOf } from "../accounts/sessions/security-log";
import { type Reader, sessionsOf } from "../accounts/sessions/session-list";
import { notesOf } from "../customers/notes";
import { linkOf } from "../discord/links";
import { seatsOf } from "../devices/read";
import { licencesOf } from "../licences/changes/list";
import { unsubscribedSince } from "../campaigns/unsubscribe";
import { subscriptionsOf } from "../payments/reading/subscriptions";
import { movementsOf, taxFactsOf } from "../payments/books/tax-facts";
import { type ListedPayment, paymentsOfAccount } from "../payments/reading/payments";
import { purchasesOf } from "../payments/checkout/purchase-evidence";
import { everyMessage } from "../tickets/reading/messages";
import { ownTickets } from "../tickets/reading/own";
import { authorize } from "../permissions";
import { payments } from "../schema/payments";
import { isBuyers } from "./disown";

/**
 * Everything the shop holds about an account, except credentials. Reads its lists page by page, as the caller takes
 * them.
 */
export async function exportAccount(ctx: Ctx, actor: Actor, reader: Reader) {
  authorize(actor, "account.export");
  const { id } = reader.account;
  const { devices } = await seatsOf(ctx, id);
  return {
    account: { ...reader.account, unsubscribedAt: await unsubscribedSince(ctx, reader.account.email) },
    /** The computer last seen, and all. */
    device: devices[0] ?? null,
    devices: inOnePage(devices),
    link: (await linkOf(ctx, id)) ?? null,
    licences: list(
      (page) => licencesOf(ctx, id, page),
      ({ redeemedAt, id: licence }) => ({ at: redeemedAt ?? new Date(0), id: licence }),
    ),
    payments: list(
      async (page) =>
        withTaxFacts(ctx, id, await paymentsOfAccount(ctx, id, { ...page, keys: maxKeysPerOrder })),
      ({ createdAt, id: payment }) => ({ at: createdAt, id: payment }),
      paymentsAtOnce,
    ),
    subscriptions: list(
      (page) => subscriptionsOf(ctx, id, page),
      ({ startedAt, id: subscription }) => ({ at: startedAt, id: subscription }),
    ),
    purchases: list(
      (page) => purchasesOf(ctx, id, page),
      ({ createdAt, paymentId }) => ({ at: createdAt, id: paymentId }),
    ),
    sessions: list(
      (page) => sessionsOf(ctx, reader, page),
      ({ lastSeenAt, id: session }) => ({ at: lastSeenAt, id: session }),
    ),
    tickets: list(
      (page) => ownTickets(ctx, id, page),
      ({ openedAt, id: ticket }) => ({ at: openedAt, id: ticket }),
    ),
    messagesOf: (ticketId: string) => everyMessage(ctx, ticketId, "member"),
    security: list(
      (page) => securityLogOf(ctx, id, page),
      ({ at, id: event }) => ({ at, id: event }),
    ),
    notes: list(
      (page) => notesOf(ctx, id, page),
      ({ at, id: note }) => ({ at, id: note }),
    ),
  };
}

/** An account that only redeemed a key learns nothing about its buyer: theirs is what an erasure would take from them. */
async function withTaxFacts(ctx: Ctx, accountId: string, rows: ListedPayment[]) {
  const others = rows.filter(({ isTheirs, subscription }) => !isTheirs && subscription === null);
  const bought = await boughtAmong(
    ctx,
    accountId,
    others.map(({ id }) => id),
  );
  const moved = await movementsOf(ctx, rows);
  return rows.map((row) => ({
    ...row,
    taxFacts: row.isTheirs || bought.has(row.id) ? taxFactsOf(row, moved) : null,
  }));
}

async function boughtAmong({ store: { db } }: Ctx, accountId: string, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .select({ id: payments.id })
    .from(payments)
    .where(and(inArray(payments.id, ids), withoutIndex(isBuyers(db, accountId))));
  return new Set(rows.map(({ id }) => id));
}

/** What is read at once, as the other lists are. */
async function* inOnePage<Row>(rows: Row[]): AsyncGenerator<Row[]> {
  yield rows;
}

type Page = { after: Place | null; most: number };

/** Each with all its keys. */
const paymentsAtOnce = 10;

const list = <Row>(read: (page: Page) => Promise<Row[]>, placeOf: (row: Row) => Place, most?: number) =>
  everyPage((after, limit) => read({ after, most: limit }), placeOf, most);
