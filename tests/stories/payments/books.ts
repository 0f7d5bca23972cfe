import { day } from "@/contract/vocabulary/time";
import { readBooks } from "@/domain/payments/books/read-books";
import { salesFile } from "@/domain/staff-queries/sales";
import { readCsv } from "@/domain/imports/read-csv";
import type { Stage } from "../../support/shop/stage";
import { by } from "../subscriptions/subscriber";

export const monthOf = (at: Date) => at.toISOString().slice(0, 7);
export const read = ({ ctx, shop }: Stage) => readBooks(ctx, shop.checkout);

/** The rows of a month's file by their columns. */
export async function rowsOf({ ctx }: Stage, month: string) {
  const text = (await Array.fromAsync(salesFile(ctx, month, by))).join("");
  const [heading, ...lines] = [...readCsv(text)];
  const names = heading?.cells ?? [];
  return lines.map(({ cells }) => Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ""])));
}

/** The rows since a moment, in whatever zone the shop is. */
export async function allRows(stage: Stage, begun: Date) {
  const rows: Record<string, string>[] = [];
  const last = monthOf(stage.ctx.now());
  for (
    let month = Temporal.PlainYearMonth.from(monthOf(new Date(begun.getTime() - day)));
    month.toString() <= last;
    month = month.add({ months: 1 })
  )
    rows.push(...(await rowsOf(stage, month.toString())));
  return rows;
}
