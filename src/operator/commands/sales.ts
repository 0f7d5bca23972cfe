import { open, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { balanceWord, netByCurrency } from "@/contract/vocabulary/balance-words";
import { signedMoney } from "@/contract/vocabulary/money";
import type { SalesOfMonth } from "@/contract/wire/desk/sales";
import { operator } from "@/core/base/actor";
import { Refusal } from "@/core/base/refusal";
import type { Ctx } from "@/core/database/context";
import { paymentOperations } from "@/domain/operations/payments";
import { salesFile } from "@/domain/staff-queries/sales";
import { addOperation } from "../terminal/operation-command";
import { counted, table } from "../terminal/table";

/** `shop payments sales <month>` */
export const addSales = (noun: Command): void =>
  addOperation(noun, paymentOperations.exportSales, {
    description: "write a month for the tax adviser to a CSV file, and add it up",
    examples: ['payments sales 2026-11 --reason "the books of November"'],
    fields: { month: "such as 2026-11, in the shop's time zone" },
    options: [new Option("--to <file>", "where it goes (default: sales-<month>.csv in this folder)")],
    async output({ result, given: { month }, typed: { to } }, { ctx }) {
      const file = resolve(typeof to === "string" ? to : `sales-${month}.csv`);
      await writeFile(ctx, file, month);
      return { data: { ...result, file }, sentence: `${file}\n${inLines(result)}` };
    },
  });

/** Only its owner may read it. */
async function writeFile(ctx: Ctx, path: string, month: string): Promise<void> {
  const file = await open(path, "wx", 0o600).catch(() => {
    throw new Refusal("conflict", { sentence: `${path} already exists or can't be written.` });
  });
  try {
    for await (const lines of salesFile(ctx, month, { actor: operator })) await file.write(lines);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

function inLines({ rows, sums, outside, notes }: SalesOfMonth): string {
  const lines = sums.map(({ currency, kind, count, amount, fee, net }) => [
    balanceWord(kind),
    count,
    ...[amount, -fee, net].map((one) => signedMoney(one, currency)),
  ]);
  const totals = netByCurrency(sums).map(([currency, net]) => [
    "Net",
    null,
    null,
    null,
    signedMoney(net, currency),
  ]);
  const others = outside.map(({ currency, count, amount }) => [
    "Outside Stripe",
    count,
    signedMoney(amount, currency),
    null,
    null,
  ]);
  return [
    counted(rows, "row"),
    ...(rows > 0 ? [table(["what", "rows", "amount", "fee", "net"], [...lines, ...totals, ...others])] : []),
    ...notes,
  ].join("\n");
}
