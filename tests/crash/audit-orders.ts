import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { dueOf, type LedgerAccount, ledgerOf } from "./expected-state";
import type { StripeEvent } from "./events";
import { stripeKeys, type World } from "./processes";

export type Verdict = {
  /** Sessions for which Stripe took money. */
  paid: number;
  /** Paid, but not held as Stripe holds it, or without its licence. */
  lost: string[];
  /** More than one licence for an order, or a licence for none. */
  duplicated: string[];
  /** In good standing, without a receipt in the mailbox. */
  receiptsLost: string[];
  /** Letters that came more than once: each repeat by when its first copy came, Unix milliseconds. */
  repeated: number[];
  /** Orders that were sent two different receipts. */
  differing: string[];
};

/** Holds the shop's books and the mailbox against the simulator's ledger. The shop must be down. */
export async function judge(world: World): Promise<Verdict> {
  const [ledger, held, letters] = [
    await ledgerOf(world.stripeUrl),
    await heldOf(world.dataDir),
    await lettersIn(world.mailFolder),
  ];
  const receipts = Map.groupBy(
    letters.filter(({ id }) => id.startsWith("<receipt.")),
    ({ to }) => to,
  );
  const paid = ledger.filter((account) => account.paid);
  const known = new Set(paid.map(({ session }) => session));
  const of = (email: string | null) => (receipts.get(email ?? "") ?? []).map(({ id }) => id);
  return {
    paid: paid.length,
    lost: paid.filter((account) => !isHeld(account, held.get(account.session) ?? [])).map(describe),
    duplicated: [...held]
      .filter(([session, rows]) => licencesOf(rows) > (known.has(session) ? 1 : 0))
      .map(([session]) => session),
    receiptsLost: paid
      .filter((account) => dueOf(account).standing === "good" && of(account.email).length === 0)
      .map(describe),
    repeated: [...Map.groupBy(letters, ({ id }) => id).values()].flatMap((copies) =>
      copies.slice(0, -1).map(({ at }) => at),
    ),
    differing: paid.filter(({ email }) => new Set(of(email)).size > 1).map(describe),
  };
}

/** Sessions whose `completed` event was answered with 200, by the simulator's own record. */
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

type Held = { session: string; state: string; standing: string | null; licence: string | null };

/** The shop's books by session, read from its database. */
export async function heldOf(dataDir: string): Promise<Map<string, Held[]>> {
  const client = createClient({ url: `file:${join(dataDir, "shop.db")}` });
  const { rows } = await client.execute(
    "SELECT session_id AS session, state, payment_standing AS standing, licences.id AS licence FROM payments LEFT JOIN licences ON licences.payment_id = payments.id",
  );
  const strays = await client.execute("SELECT id FROM licences WHERE payment_id IS NULL");
  client.close();
  // the driver types every column alike; these are texts by their tables
  const held = Map.groupBy(rows as unknown as Held[], ({ session }) => session);
  for (const row of strays.rows as unknown as { id: string }[]) {
    held.set(`stray ${row.id}`, [{ session: "", state: "", standing: "good", licence: row.id }]);
  }
  return held;
}

const licencesOf = (rows: Held[]) => rows.filter(({ licence }) => licence !== null).length;

function isHeld(account: LedgerAccount, rows: Held[]): boolean {
  const due = dueOf(account);
  return rows.length === 1 && rows[0]?.state === due.state && rows[0].standing === due.standing;
}

const describe = (account: LedgerAccount) =>
  `${account.session} ${JSON.stringify({ email: account.email, ...dueOf(account) })}`;

type ReceivedLetter = { to: string; id: string; at: number };

/** All letters as they came. Read from the folder: the mailbox may be large. */
async function lettersIn(folder: string): Promise<ReceivedLetter[]> {
  const letters: ReceivedLetter[] = [];
  for (const name of (await readdir(folder)).toSorted()) {
    if (!name.endsWith(".json")) continue;
    const { receivedAt, envelope, raw } = (await Bun.file(join(folder, name)).json()) as {
      receivedAt: string;
      envelope: { to: string[] };
      raw: string;
    };
    const id = /^message-id:\s*(<[^>]*>)/im.exec(raw)?.[1];
    const to = envelope.to[0];
    if (id && to) letters.push({ to, id, at: Date.parse(receivedAt) });
  }
  return letters;
}
