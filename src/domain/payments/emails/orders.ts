import { utcTime } from "@/contract/vocabulary/dates";
import { and, eq, isNotNull } from "drizzle-orm";
import { z } from "zod";
import { mailboxOf } from "@/contract/vocabulary/addresses";
import { money } from "@/contract/vocabulary/money";
import type { Bill } from "@/contract/wire/payments";
import type { Ctx } from "@/core/database/context";
import { billOf } from "../../bills/bill";
import { findBlock } from "../../blocks/find";
import { nextKeyStep, type NextStep, stepButton, stepUrl } from "../../licences/changes/key-step";
import { statusOf } from "../../licences/entitlement/entitlement";
import { keyOf } from "../../licences/keys/issue";
import { maskKey } from "../../licences/keys/keys";
import { mayMailKey } from "../../licences/keys/mailable-key";
import {
  type Block,
  codes,
  type Fact,
  facts,
  heading,
  link,
  paragraph,
  quiet,
  subheading,
} from "../../mail/blocks";
import type { Email } from "../../mail/email";
import { maskEmail, maskName } from "@/contract/vocabulary/mask";
import type { Outgoing } from "../../mail/deliver";
import { emailTemplate } from "../../mail/template";
import type { Licence } from "../../schema/licences";
import { payments } from "../../schema/payments";
import { isReadable, offerOf } from "../port/order-terms";
import { giftsToEmail, paymentsOfEmail } from "../reading/orders-by-email";

/** The most keys that an email lists, but at least one order; an email of thousands of lines takes long to write. */
const mostKeys = 500;

/** Lists what was bought with a typed address. Sends nothing to an address without purchases. */
export const ordersEmail = emailTemplate({
  name: "mail.orders",
  priority: true,
  payload: z.object({ email: z.string() }),
  dropWhenOff: true,
  async prepare(ctx, { subject, payload: { email } }, { publicUrl, portalLoginPage }) {
    const sold = and(isNotNull(payments.soldAt), eq(payments.livemode, ctx.livemode));
    const bought = ofFewKeys(await paymentsOfEmail(ctx, email, sold));
    const lists = listsBySpelling(bought, await giftsToEmail(ctx, email, sold));
    const emails: Outgoing[] = [];
    for (const [at, { to, bought: own, given }] of lists.entries()) {
      const isBlocked = (await findBlock(ctx, { email: to })) !== null;
      const keysOf = (one: FoundOrder) => listedKeys(ctx, one, isBlocked);
      const listedOrders: ListedOrder[] = [
        ...own.map((one) => ({
          ...toListedOrder(one),
          keys: isOwn(one) ? keysOf(one) : [othersKey(one.payment)],
        })),
        ...given.map((one) => ({ ...toListedOrder(one), bill: null, keys: keysOf(one) })),
      ];
      const next = await nextStep(ctx, [...own.filter(isOwn), ...given], { to, publicUrl });
      emails.push({
        to,
        id: `orders.${subject}${at === 0 ? "" : `.${at}`}`,
        email: writeOrders({ orders: listedOrders, next, portalUrl: await portalOf(own, portalLoginPage) }),
        // no notice if the server refuses it: staff had one when it refused the receipt
        about: { subject: [...own, ...given][0]?.payment.id ?? subject },
      });
    }
    return emails;
  },
});

type FoundOrder = Awaited<ReturnType<typeof paymentsOfEmail>>[number];
/** The newest orders that fit. */
function ofFewKeys(orders: FoundOrder[]): FoundOrder[] {
  let keys = 0;
  const end = orders.findIndex((one, at) => (keys += one.keys.length) > mostKeys && at > 0);
  return end < 0 ? orders : orders.slice(0, end);
}

type List = { to: string; bought: FoundOrder[]; given: FoundOrder[] };

/**
 * A list for each spelling of the address that buyers gave, which may differ from the typed one: a mail server that
 * distinguishes two spellings must not deliver one person's keys to the other.
 */
function listsBySpelling(bought: FoundOrder[], given: FoundOrder[]): List[] {
  const lists = new Map<string, List>();
  const listOf = (to: string) => {
    const mailbox = mailboxOf(to);
    const list = lists.get(mailbox) ?? { to, bought: [], given: [] };
    lists.set(mailbox, list);
    return list;
  };
  for (const one of bought) if (one.payment.email) listOf(one.payment.email).bought.push(one);
  for (const one of given.filter(({ payment }) => isReadable(payment)))
    if (one.payment.giftEmail) listOf(one.payment.giftEmail).given.push(one);
  return [...lists.values()];
}

/** A gift's key belongs to its receiver; only a newer release knows whose keys its orders hold. */
const isOwn = ({ payment }: FoundOrder) => payment.giftEmail === null && isReadable(payment);

/** What the reader can do with the keys that nobody has redeemed; null if there are none. */
async function nextStep(ctx: Ctx, orders: FoundOrder[], { to, publicUrl }: { to: string; publicUrl: URL }) {
  const unused = orders.flatMap(({ keys }) =>
    keys.map(({ licence }) => licence).filter((one) => statusOf(ctx, one) === "unredeemed"),
  );
  if (unused.length === 0) return null;
  const step = await nextKeyStep(ctx, unused, { to, buyer: null });
  return { step, stepUrl: stepUrl(step, publicUrl) };
}

/** Where its buyer cancels a subscription without an account; the keys are worth more than this link. */
async function portalOf(own: FoundOrder[], loginPage: () => Promise<string | null>): Promise<string | null> {
  const subscribed = own.some(({ payment }) => payment.subscription !== null && payment.accountId === null);
  return subscribed ? await loginPage().catch(() => null) : null;
}

function toListedOrder({ payment }: FoundOrder): Omit<ListedOrder, "keys"> {
  return {
    productName: offerOf(payment).product,
    paidAt: payment.paidAt ?? payment.createdAt,
    bill: billOf(payment),
    transactionId: payment.intentId ?? payment.sessionId,
  };
}

/** For a buyer who may not see the keys. After an erasure, the receiver's address is missing. */
function othersKey(payment: FoundOrder["payment"]): ListedKey {
  if (!isReadable(payment)) return hint("Under review");
  return hint(payment.giftEmail ? `A gift to ${maskEmail(payment.giftEmail)}` : "A gift");
}

const listedKeys = (ctx: Ctx, { keys }: FoundOrder, isBlocked: boolean) =>
  keys.map(({ licence, owner }) => listedKey(ctx, licence, { owner, isBlocked }));

/**
 * The whole key until somebody redeems it; then only a hint of its owner, because other people may read the buyer's
 * mail.
 */
function listedKey(
  ctx: Ctx,
  licence: Licence,
  { owner, isBlocked }: { owner: string | null; isBlocked: boolean },
): ListedKey {
  if (licence.redeemedAt) {
    const where = owner ? `the account ${maskName(owner)}` : "an account that was deleted";
    return hint(`Redeemed on ${where}`);
  }
  const key = keyOf(ctx, licence);
  if (!mayMailKey(ctx, licence)) return hint(`${maskKey(key)} (${statusOf(ctx, licence)})`);
  return isBlocked ? hint(maskKey(key)) : { whole: true, text: key };
}

/** A key to use, or a hint where it is. */
type ListedKey = { whole: boolean; text: string };
const hint = (text: string): ListedKey => ({ whole: false, text });

type ListedOrder = {
  productName: string;
  /** Null for a gift's receiver, who is not concerned with it. */
  bill: Bill | null;
  paidAt: Date;
  transactionId: string;
  keys: ListedKey[];
};

/** For a customer who lost the receipts. */
export const writeOrders = ({
  orders: all,
  next,
  portalUrl,
}: {
  orders: ListedOrder[];
  next: NextStep | null;
  /** Stripe's page for subscriptions bought without an account; null if there are none. */
  portalUrl: string | null;
}): Email => ({
  kind: "orders",
  subject: "Your orders",
  preheader: all.length === 1 ? "One order was found." : `${all.length} orders were found.`,
  blocks: [
    heading("Your orders"),
    paragraph("Someone asked for the orders placed with this email address. Here they are:"),
    ...all.flatMap(blocksOf),
    ...(next ? [paragraph(doNext(next)), ...stepButton(next)] : []),
    ...(portalUrl ? [link("Manage or cancel it", portalUrl, "A subscription without an account?")] : []),
    quiet("If you didn't ask for it, you don't need to do anything. The list was sent to this address only."),
  ],
  why: "You're receiving this because someone asked for the orders placed with this address.",
});

function doNext({ step }: NextStep): string {
  const unused = "A key that is shown in full hasn't been used yet.";
  if (step === "register") return `${unused} Register an account with it.`;
  if (step === "wait") return `${unused} Your subscription is still running. Add one when that ends.`;
  if (step === "covered")
    return `${unused} Your account already has what it gives, so it is yours to give away.`;
  return step === "spare"
    ? `${unused} Your account already has a lifetime license, so it is yours to give away.`
    : `${unused} Sign in and add it to your account.`;
}

function blocksOf(order: ListedOrder): Block[] {
  const whole = order.keys.filter((key) => key.whole).map(({ text }) => text);
  return [
    subheading(order.productName),
    ...(whole.length > 0 ? [codes(...whole)] : []),
    facts(...factsOf(order)),
  ];
}

function factsOf({ bill, paidAt, transactionId, keys }: ListedOrder): Fact[] {
  const refunded: Fact[] =
    bill && bill.refunded > 0 ? [["Refunded", money(bill.refunded, bill.currency)]] : [];
  return [
    ["Amount", bill ? money(bill.paid, bill.currency) : "A gift to you"],
    ...refunded,
    ["Date", utcTime(paidAt)],
    ["Transaction ID", transactionId],
    ...keys.flatMap(({ whole, text }, at): Fact[] =>
      whole ? [] : [[keys.length > 1 ? `License key ${at + 1}` : "License key", text]],
    ),
  ];
}
