import { expect, test } from "bun:test";
import { day } from "@/contract/vocabulary/time";
import { readBooks } from "@/domain/payments/books/read-books";
import { syncPayment } from "@/domain/payments/corrections/sync";
import { addUpSales, salesFile } from "@/domain/staff-queries/sales";
import { readCsv } from "@/operator/files/read-csv";
import { openStage, type Stage } from "../../support/shop/stage";
import {
  by,
  checkout,
  happens,
  openSubscriptionShop,
  pass,
  paymentOf,
  settleAll,
  subscriberInArrears,
} from "../subscriptions/subscriber";

const monthOf = (at: Date) => at.toISOString().slice(0, 7);
const read = ({ ctx, shop }: Stage) => readBooks(ctx, shop.checkout);

/** The rows of a month's file by their columns. */
async function rowsOf({ ctx }: Stage, month: string) {
  const text = (await Array.fromAsync(salesFile(ctx, month, by))).join("");
  const [heading, ...lines] = readCsv(text);
  const names = heading?.cells ?? [];
  return lines.map(({ cells }) => Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ""])));
}

/** The rows since the shop began. */
async function allRows(stage: Stage, begun: Date) {
  const rows: Record<string, string>[] = [];
  const last = monthOf(stage.ctx.now());
  for (
    let month = Temporal.PlainYearMonth.from(monthOf(begun));
    month.toString() <= last;
    month = month.add({ months: 1 })
  )
    rows.push(...(await rowsOf(stage, month.toString())));
  return rows;
}

test("a clock that was a month ahead for a moment leaves no hole in the books", async () => {
  await using stage = await openStage();
  await stage.buy("first@example.com");
  const ahead = stage.ctx.now().getTime() + 30 * day;
  await readBooks({ ...stage.ctx, now: () => new Date(ahead) }, stage.shop.checkout);
  await stage.buy("second@example.com");
  await pass(stage, 32);
  await stage.buy("third@example.com");
  await read(stage);
  expect(await stage.count("balance_movements")).toBe(3);
});

test("a payout that came back paid nothing out; the next one did, also if both were read late", async () => {
  const begun = new Date();
  for (const inTime of [true, false]) {
    await using stage = await openStage();
    await stage.buy("buyer@example.com");
    const first = await stage.atStripe("payout", {});
    const told = async () => {
      if (inTime) await read(stage);
    };
    const payouts = async () => (await allRows(stage, begun)).map(({ payout }) => payout);
    await told();
    if (inTime) expect(await payouts()).toEqual([first.id]);
    stage.advance(3 * day);
    await stage.atStripe("payout/fail", { payout: first.id });
    await told();
    if (inTime) expect(await payouts()).toEqual([""]);
    stage.advance(day);
    const second = await stage.atStripe("payout", {});
    await stage.atStripe("payout/fail", { payout: second.id });
    const third = await stage.atStripe("payout", {});
    await read(stage);
    expect(await payouts()).toEqual([third.id]);
  }
});

test("of a sale that was paid in part elsewhere, price and tax stand in one row", async () => {
  await using stage = await openSubscriptionShop();
  const begun = stage.ctx.now();
  const { invoice } = await subscriberInArrears(stage);
  await stage.atStripe("invoice/part", { invoice, amount: 50, by: "record" });
  await happens(stage, "invoice/pay", { invoice, card: "4242" });
  await read(stage);
  const { id } = await paymentOf(stage, invoice);
  const rows = (await allRows(stage, begun)).filter(({ payment }) => payment === id);
  expect(rows.map(({ kind, price }) => [kind, price])).toEqual([
    ["charge", "3.00"],
    ["outside Stripe", ""],
  ]);
});

test("a debit that fails was no sale: its price and its tax are in no column", async () => {
  await using stage = await openStage({ env: { TAX: "stripe" } });
  await stage.atStripe("tax", { percent: 19, within: true });
  const begun = stage.ctx.now();
  const session = await checkout(stage.person(), "premium");
  await happens(stage, "pay", { session, outcome: "processing" });
  await read(stage);
  stage.advance(4 * day);
  await happens(stage, "settle", { session, outcome: "fail" });
  await read(stage);
  const rows = await allRows(stage, begun);
  expect(rows.map(({ kind, price, tax }) => [kind, price, tax])).toEqual([
    ["charge", "", ""],
    ["charge_failure", "", ""],
  ]);
});
