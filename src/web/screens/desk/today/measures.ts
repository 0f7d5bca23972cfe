import { decimalText, money } from "@/contract/vocabulary/money";
import type { Sums } from "../../../api/desk/figures";

/** A figure of the shop: its field, its name, and how its values are written. */
export type Measure = {
  field: keyof Sums;
  name: string;
  write: (value: number, currency: string) => string;
  /** The short form for a chart's axis. */
  brief: (value: number, currency: string) => string;
  /** Stands until it changes, instead of being counted by the day. */
  lasts?: true;
};

/** A figure that can be shown large. */
export type Shown = Measure & {
  /** What it counts, in a sentence. */
  means: string;
  /** The list with the rows behind it. */
  list: "payments" | "customers" | "licences?status=active" | "subscriptions?status=active";
};

const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });
export const whole = new Intl.NumberFormat("en-US");
export const share = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 1 });

const inMoney = {
  write: money,
  brief: (value: number, currency: string) =>
    `${currency.toUpperCase()} ${compact.format(Number(decimalText(value, currency)))}`,
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
export const measures: readonly Shown[] = [
  {
    field: "gross",
    name: "Gross",
    ...inMoney,
    means: "What was paid, on the day of each charge.",
    list: "payments",
  },
  {
    field: "net",
    name: "Net",
    ...inMoney,
    means: "Gross less refunds and disputes, each on its own day.",
    list: "payments",
  },
  {
    field: "orders",
    name: "Orders",
    ...inCounts,
    means: "Checkouts that ended in a license, free ones too.",
    list: "payments",
  },
  {
    field: "conversion",
    name: "Conversion",
    ...inShares,
    means: "Orders as a share of the checkouts that were opened.",
    list: "payments",
  },
  {
    field: "new_accounts",
    name: "New accounts",
    ...inCounts,
    means: "Accounts that were registered.",
    list: "customers",
  },
  {
    field: "active_licences",
    name: "Active licenses",
    ...inCounts,
    lasts: true,
    means: "Licenses that were active when each day ended.",
    list: "licences?status=active",
  },
  {
    field: "mrr",
    name: "Monthly recurring",
    ...inMoney,
    lasts: true,
    means: "What running subscriptions pay a month, when each day ended.",
    list: "subscriptions?status=active",
  },
];

/** Where the rows behind a figure are listed; payments are those that were opened on these days. */
export function rowsBehind(
  list: Shown["list"],
  { from, to }: { from: string; to: string },
  offer: string,
): string {
  const [name, narrowed] = list.split("?");
  const filters = new URLSearchParams({
    ...Object.fromEntries(new URLSearchParams(narrowed)),
    ...(list === "payments" && { from, to }),
    ...(list !== "customers" && offer !== "" && { offer }),
  });
  return `/desk/${name}${filters.size === 0 ? "" : `?${filters}`}`;
}

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
