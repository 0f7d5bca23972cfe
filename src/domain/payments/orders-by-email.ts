import { and, asc, desc, eq, isNotNull, type SQL } from "drizzle-orm";
import { addressKey, wireAddress } from "@/contract/addresses";
import { commit, type Write } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import type { LimitTable } from "@/core/limit-table";
import { spend } from "@/core/limits";
import { type Handlers, post } from "@/core/outbox";
import { Refusal } from "@/core/refusal";
import { billOf } from "../bills/bill";
import { statusOf } from "../licences/entitlement";
import { blockOf } from "../blocks/blocked";
import { keyOf } from "../licences/issue";
import { maskKey } from "../licences/keys";
import { mayMailKey } from "../licences/mailable-key";
import { keyStep, stepUrl } from "../licences/key-step";
import type { ListedOrder, Mailer } from "../mail/letter";
import { maskEmail, maskName } from "../mail/mask";
import { sendLetter } from "../mail/send-letter";
import { accounts } from "../schema/accounts";
import { type Licence, licences } from "../schema/licences";
import { payments } from "../schema/payments";
import { isReadable, offerOf } from "./order-terms";

/** A letter lists at most this many orders, the newest. */
const mostListed = 50;
/** And orders with so many keys in all, but always one: a letter of thousands of lines takes long to write. */
const mostKeys = 500;

/**
 * Queues a mail that lists what was bought with an address. The same rows and work for every address; only delivery
 * finds out whether there is anything to list. Silently does nothing for an address that was asked for too often.
 * The caller wakes the worker after answering.
 */
export async function askForOrders(ctx: Ctx, limits: LimitTable, email: string): Promise<void> {
  try {
    await spend(ctx, limits["find-orders-email"], addressKey(email));
  } catch (error) {
    if (error instanceof Refusal && error.code === "rate_limited") return;
    throw error;
  }
  // a person is waiting for it, possibly behind a rush of receipts
  const orders = post(ctx, { topic: "mail.orders", subject: newId(), payload: { email }, ahead: true });
  await commit(ctx.store, [orders], { wakes: false });
}

/** The newest payments with an address, in any spelling, with their keys. */
export const paymentsWith = (ctx: Ctx, email: string, also?: SQL) =>
  withKeys(ctx, and(eq(payments.emailKey, addressKey(email)), also));

/** The newest gifts to an address, in any spelling, with their keys. */
export const giftsTo = (ctx: Ctx, email: string, also?: SQL) =>
  withKeys(ctx, and(isNotNull(payments.giftKey), eq(payments.giftKey, addressKey(email)), also));

async function withKeys({ store: { db } }: Ctx, which: SQL | undefined) {
  const newest = await db
    .select({ id: payments.id })
    .from(payments)
    .where(which)
    .orderBy(desc(payments.createdAt))
    .limit(mostListed);
  const orders = [];
  for (const { id } of newest) {
    // at one moment: no letter to a former address may have the keys that replaced those that went there
    const [[payment], keys] = await db.batch([
      db
        .select()
        .from(payments)
        .where(and(eq(payments.id, id), which)),
      db
        .select({ licence: licences, owner: accounts.username })
        .from(licences)
        .leftJoin(accounts, eq(accounts.id, licences.accountId))
        .where(eq(licences.paymentId, id))
        .orderBy(asc(licences.paymentIndex)),
    ]);
    if (payment) orders.push({ payment, keys });
    // an order may have a hundred keys
    await new Promise(setImmediate);
  }
  return orders;
}

/**
 * The outbox handler. An address that nothing was bought with gets no mail. With mail off the letter is dropped: it
 * would be useless later.
 */
export function orderLetters(ctx: Ctx, mailer: Mailer | null, publicUrl: URL): Handlers {
  return {
    "mail.orders": async ({ subject, payload: { email } }) => {
      if (!mailer) return [];
      const sold = and(isNotNull(payments.soldAt), eq(payments.livemode, ctx.livemode));
      const bought = ofFewKeys(await paymentsWith(ctx, email, sold));
      const lists = listsBySpelling(bought, await giftsTo(ctx, email, sold));
      const rejected: Write[] = [];
      for (const [at, { to, bought: own, given }] of lists.entries()) {
        const isBlocked = (await blockOf(ctx, { email: to })) !== null;
        const linesOf = (one: Bought) => keyLines(ctx, one, isBlocked);
        const orders: ListedOrder[] = [
          ...own.map((one) => ({
            ...listed(one),
            keys: isOwn(one) ? linesOf(one) : [othersLine(one.payment)],
          })),
          ...given.map((one) => ({ ...listed(one), bill: null, keys: linesOf(one) })),
        ];
        const next = await nextStep(ctx, [...own.filter(isOwn), ...given], { to, publicUrl });
        const messageId = `<orders.${subject}${at === 0 ? "" : `.${at}`}@${publicUrl.hostname}>`;
        const envelope = { to, messageId, letter: { kind: "orders", orders, next } } as const;
        const newest = [...own, ...given][0]?.payment.id ?? subject;
        // no notice: staff had one when this address refused the receipt
        const refused = await sendLetter(ctx, mailer, envelope, { subject: newest });
        if (refused) rejected.push(refused);
      }
      return rejected;
    },
  };
}

type Bought = Awaited<ReturnType<typeof paymentsWith>>[number];
/** The newest orders that fit. */
function ofFewKeys(orders: Bought[]): Bought[] {
  let keys = 0;
  const end = orders.findIndex((one, at) => (keys += one.keys.length) > mostKeys && at > 0);
  return end < 0 ? orders : orders.slice(0, end);
}

type List = { to: string; bought: Bought[]; given: Bought[] };

/**
 * A list for each address as its buyer gave it, which may be another spelling than the one that was typed here: a mail
 * server that tells two spellings apart must not deliver one person's keys to the other.
 */
function listsBySpelling(bought: Bought[], given: Bought[]): List[] {
  const lists = new Map<string, List>();
  const listOf = (to: string) => {
    const mailbox = wireAddress(to).toLowerCase();
    const list = lists.get(mailbox) ?? { to, bought: [], given: [] };
    lists.set(mailbox, list);
    return list;
  };
  for (const one of bought) if (one.payment.email) listOf(one.payment.email).bought.push(one);
  for (const one of given.filter(({ payment }) => isReadable(payment)))
    if (one.payment.giftEmail) listOf(one.payment.giftEmail).given.push(one);
  return [...lists.values()];
}

/** A gift's key is its receiver's; whose keys an order of a newer release has, that release knows. */
const isOwn = ({ payment }: Bought) => payment.giftEmail === null && isReadable(payment);

/** What the reader can do with the keys that nobody has redeemed; null if there are none. */
async function nextStep(ctx: Ctx, orders: Bought[], { to, publicUrl }: { to: string; publicUrl: URL }) {
  const unused = orders.flatMap(({ keys }) =>
    keys.map(({ licence }) => licence).filter((one) => statusOf(ctx, one) === "unredeemed"),
  );
  if (unused.length === 0) return null;
  const step = await keyStep(ctx, unused, { to, buyer: null });
  return { step, stepUrl: stepUrl(step, publicUrl) };
}

function listed({ payment }: Bought): Omit<ListedOrder, "keys"> {
  return {
    productName: offerOf(payment).product,
    paidAt: payment.paidAt ?? payment.createdAt,
    bill: billOf(payment),
    transactionId: payment.intentId ?? payment.sessionId,
  };
}

/** For a buyer whose keys they are not to see. Of a receiver who was erased, no address is left. */
function othersLine(payment: Bought["payment"]): string {
  if (!isReadable(payment)) return "Being looked at";
  return payment.giftEmail ? `A gift to ${maskEmail(payment.giftEmail)}` : "A gift";
}

const keyLines = (ctx: Ctx, { keys }: Bought, isBlocked: boolean) =>
  keys.map(({ licence, owner }) => keyLine(ctx, licence, { owner, isBlocked }));

/**
 * Whoever reads the buyer's mail may have the key until it is redeemed, if it stands, and after that a hint of whose it
 * is.
 */
function keyLine(
  ctx: Ctx,
  licence: Licence,
  { owner, isBlocked }: { owner: string | null; isBlocked: boolean },
): string {
  if (licence.redeemedAt) {
    return owner ? `Redeemed on the account ${maskName(owner)}` : "Redeemed on an account that was deleted";
  }
  const key = keyOf(ctx, licence);
  if (!mayMailKey(ctx, licence)) return `${maskKey(key)} (${statusOf(ctx, licence)})`;
  return isBlocked ? maskKey(key) : key;
}
