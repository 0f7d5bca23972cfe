import { decimalText, money } from "@/contract/vocabulary/money";
import type { Sums } from "../../../api/desk/figures";

/** A figure of the shop: its field, its name, and how its values are written. */
export type Measure = {
  field: keyof Sums;
  name: string;
  write: (value: number, currency: string) => string;
  /** The short form for a chart's axis. */
  brief: (value: number, currency: string) => string;
};

const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });
export const whole = new Intl.NumberFormat("en-US");
export const share = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 1 });

/** Without the currency's symbol, whose name is above the chart. */
const inMoney = {
  write: money,
  brief: (value: number, currency: string) => compact.format(Number(decimalText(value, currency))),
};
const inCounts = {
  write: (value: number) => whole.format(value),
  brief: (value: number) => compact.format(value),
};
const inShares = {
  write: (value: number) => share.format(value),
  brief: (value: number) => share.format(value),
};

/** The figures in the order of Today; those that the shop answers with null are left out. */
export const measures: readonly Measure[] = [
  { field: "gross", name: "Gross", ...inMoney },
  { field: "net", name: "Net", ...inMoney },
  { field: "orders", name: "Orders", ...inCounts },
  { field: "conversion", name: "Conversion", ...inShares },
  { field: "new_accounts", name: "New accounts", ...inCounts },
  { field: "active_licences", name: "Active licenses", ...inCounts },
  { field: "mrr", name: "Monthly recurring", ...inMoney },
];

/** The further columns of the table. */
export const furtherMeasures: readonly Measure[] = [
  { field: "refunded", name: "Refunded", ...inMoney },
  { field: "disputed", name: "Disputed", ...inMoney },
  { field: "average", name: "Average", ...inMoney },
  { field: "checkouts", name: "Checkouts", ...inCounts },
];

/** How a figure changed, such as `{ up: true, text: "+12%" }`; null if there is nothing to compare it with. */
export function changeOf(
  now: number | null,
  before: number | null,
): { up: boolean | null; text: string } | null {
  if (now === null || before === null) return null;
  if (now === before) return { up: null, text: "no change" };
  if (before === 0) return { up: now > 0, text: "new" };
  const change = (now - before) / Math.abs(before);
  return { up: change > 0, text: `${change > 0 ? "+" : "−"}${share.format(Math.abs(change))}` };
}
