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
