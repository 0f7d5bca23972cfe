import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { writtenOrderIn } from "@/domain/payments/port/order-terms";
import {
  addsUp,
  billColumns,
  billDue,
  type DueBill,
  dueOf,
  type LedgerAccount,
  ledgerOf,
} from "./expected-state";
import type { StripeEvent } from "./events";
import { stripeKeys, type World } from "./processes";

export type OrdersAudit = {
  /** Sessions for which Stripe took money. */
  paid: number;
  /** Paid, but in a different state than at Stripe, or without its licence. */
  lost: string[];
  /** Paid, but billed differently than at Stripe, or with a bill that does not add up. */
  misbilled: string[];
  /** More licences for an order than it has keys, or a licence for none. */
  duplicated: string[];
  /** In good standing, but without a receipt in the mailbox, or without a gift's key in its receiver's. */
  receiptsLost: string[];
  /** Emails that arrived more than once: for each repeat, when the copy before it arrived, in Unix milliseconds. */
  repeated: { id: string; at: number }[];
  /** Orders with two different receipts. */
  differing: string[];
};

/** Compares the shop's database and the mailbox with the simulator's ledger. The shop must be stopped or idle. */
export async function auditOrders(world: World): Promise<OrdersAudit> {
  const [ledger, held, emails] = [
    await ledgerOf(world.stripeUrl),
    await heldOf(world),
    await emailsIn(world.mailFolder),
  ];
  const receipts = Map.groupBy(
    emails.filter(({ id }) => id.startsWith("<receipt.")),
    ({ to }) => to,
  );
  const gifts = new Set(emails.filter(({ id }) => id.startsWith("<gift.")).map(({ to }) => to));
  const paid = ledger.filter((account) => account.paid);
  const keysOf = new Map(paid.map(({ session, quantity }) => [session, quantity]));
  const of = (email: string | null) => (receipts.get(email ?? "") ?? []).map(({ id }) => id);
  const isUntold = ({ email, metadata }: LedgerAccount) => {
    const gift = giftIn(metadata);
    return of(email).length === 0 || (gift !== null && !gifts.has(gift));
  };
  return {
    paid: paid.length,
    misbilled: paid.filter((account) => !isBilled(account, held.get(account.session)?.[0])).map(describe),
    lost: paid.filter((account) => !isHeld(account, held.get(account.session) ?? [])).map(describe),
    duplicated: [...held]
      .filter(([session, rows]) => licencesOf(rows) > (keysOf.get(session) ?? 0))
      .map(([session]) => session),
    receiptsLost: paid
      .filter((account) => dueOf(account).standing === "good" && isUntold(account))
      .map(describe),
    repeated: [...Map.groupBy(emails, ({ id }) => id).values()].flatMap((copies) =>
      copies.slice(0, -1).map(({ id, at }) => ({ id, at })),
    ),
    differing: paid.filter(({ email }) => new Set(of(email)).size > 1).map(describe),
  };
}

/** Sessions whose `completed` event was answered with 200, according to the simulator. */
export async function acknowledged(world: World): Promise<string[]> {
  const log = await fetch(`${world.stripeUrl}/_control/webhooks?limit=1000000`);
  const { deliveries } = (await log.json()) as {
    deliveries: { event: string; attempts: { status: number }[] }[];
  };
  const answered = new Set(
    deliveries
      .filter(({ attempts }) => attempts.some(({ status }) => status === 200))
      .map(({ event }) => event),
  );
  const completed = await everyEvent(world, "checkout.session.completed");
  return completed.filter(({ id }) => answered.has(id)).map(({ data }) => data.object.id);
}

async function everyEvent(world: World, type: string): Promise<StripeEvent[]> {
  const events: StripeEvent[] = [];
  for (;;) {
    const after = events.length > 0 ? `&starting_after=${events.at(-1)?.id}` : "";
    const answer = await fetch(`${world.stripeUrl}/v1/events?limit=100&type=${type}${after}`, {
      headers: { authorization: `Bearer ${stripeKeys.secretKey}` },
    });
    const { data, has_more: more } = (await answer.json()) as { data: StripeEvent[]; has_more: boolean };
    events.push(...data);
    if (!more) return events;
  }
}

type Held = {
  session: string;
  state: string;
  standing: string | null;
  licence: string | null;
  bill: DueBill | null;
};

/** The shop's books by session, read from its database. */
export async function heldOf({ databaseUrl }: World): Promise<Map<string, Held[]>> {
  const client = createClient({ url: databaseUrl });
  const { rows } = await client.execute(
    `SELECT session_id AS session, state, payment_standing AS standing, licences.id AS licence, ${billColumns}
     FROM payments LEFT JOIN licences ON licences.sold_payment_id = payments.id`,
  );
  const strays = await client.execute("SELECT id FROM licences WHERE sold_payment_id IS NULL");
  client.close();
  // the driver gives every column the same type; according to their tables these are texts and numbers
  const read = (rows as unknown as (Held & DueBill)[]).map(
    ({ session, state, standing, licence, ...bill }): Held => ({ session, state, standing, licence, bill }),
  );
  const held = Map.groupBy(read, ({ session }) => session);
  for (const row of strays.rows as unknown as { id: string }[]) {
    held.set(`stray ${row.id}`, [{ session: "", state: "", standing: "good", licence: row.id, bill: null }]);
  }
  return held;
}

/** The receiver in an order. */
function giftIn(metadata: LedgerAccount["metadata"]): string | null {
  const order = writtenOrderIn(metadata ?? null);
  return order && JSON.parse(order.text)[3].gift;
}

const licencesOf = (rows: Held[]) => rows.filter(({ licence }) => licence !== null).length;

function isHeld(account: LedgerAccount, rows: Held[]): boolean {
  const due = dueOf(account);
  return (
    rows.length === account.quantity &&
    rows.every(({ state, standing }) => state === due.state && standing === due.standing)
  );
}

function isBilled(account: LedgerAccount, held: Held | undefined): boolean {
  const due = billDue(account);
  const bill = held?.bill;
  return (
    !!bill && addsUp(bill) && Object.entries(due).every(([name, sum]) => bill[name as keyof DueBill] === sum)
  );
}

const describe = (account: LedgerAccount) =>
  `${account.session} ${JSON.stringify({ email: account.email, ...dueOf(account) })}`;

type ReceivedEmail = { to: string; id: string; at: number };

/** All emails in order of arrival, read from the folder because the mailbox may be large. */
async function emailsIn(folder: string): Promise<ReceivedEmail[]> {
  const emails: ReceivedEmail[] = [];
  for (const name of (await readdir(folder)).toSorted()) {
    if (!name.endsWith(".json")) continue;
    const { receivedAt, envelope, raw } = (await Bun.file(join(folder, name)).json()) as {
      receivedAt: string;
      envelope: { to: string[] };
      raw: string;
    };
    const id = /^message-id:\s*(<[^>]*>)/im.exec(raw)?.[1];
    const to = envelope.to[0];
    if (id && to) emails.push({ to, id, at: Date.parse(receivedAt) });
  }
  return emails;
}
