import { Command } from "commander";
import { money } from "@/contract/vocabulary/money";
import { shopStatistics } from "@/domain/customers/statistics";
import { dayIn } from "@/domain/figures/buckets";
import { rebuildFigures } from "@/domain/figures/days";
import {
  byOperator,
  withShop,
  print,
  withJson,
  withReason,
  type ChangeOptions,
} from "../terminal/command-line";
import { paint } from "../terminal/colours";
import { type Bar, barChart, counted } from "../terminal/table";
import { termDays as wholeDays } from "../terminal/arguments";

/** Up to this many days there is a bar per day; beyond that, per month. */
const mostDays = 62;

/** `shop stats` */
export function statsCommand(): Command {
  const noun = new Command("stats").description("what was sold, and what came of it");
  noun.addCommand(showVerb(), { isDefault: true });
  withReason(noun.command("rebuild"), 'stats rebuild --reason "after a repair by hand"')
    .description(
      "add up all figures again from what is still stored; what was deleted since stays as counted",
    )
    .action(({ reason, json }: ChangeOptions) => rebuild(reason, json));
  return noun;
}

const rebuild = (reason: string, json: boolean | undefined) =>
  withShop(async ({ ctx }) => {
    const done = await rebuildFigures(ctx, byOperator(reason));
    const found = done.wrong === 0 ? "all sums were right" : `corrected ${counted(done.wrong, "day")}`;
    print(json, done, `Added up ${counted(done.days, "day")}: ${found}.`);
  });

const showVerb = (): Command =>
  withJson(new Command("show"), "stats show --days 90")
    .description("sales, subscriptions, payments, disputes, licences, accounts and tickets")
    .option(
      "--days <number>",
      `how many days of sales and subscriptions to show: sales by day, or by month beyond ${mostDays} days`,
      wholeDays,
      30,
    )
    .action(({ days, json }: { days: number; json?: boolean }) =>
      withShop(async ({ ctx }) => {
        const output = await shopStatistics(ctx, days);
        print(json, output, describeStats(output, { days, now: ctx.now(), timeZone: ctx.timeZone }));
      }),
    );

type StatsRange = { days: number; now: Date; timeZone: string };
type Output = Awaited<ReturnType<typeof shopStatistics>>;
type Sale = Output["sales"][number];

function describeStats(output: Output, { days, now, timeZone }: StatsRange): string {
  const { sales, subscriptions, payments, disputes, licences, tickets } = output;
  const sold = sales.reduce((sum, sale) => sum + sale.sold, 0);
  const total = sold === 0 ? "nothing was sold" : `${sold} sold, ${income(sales)}`;
  return [
    section(
      `Sales in the last ${counted(days, "day")}: ${total}`,
      sold === 0 ? [] : salesBars(sales, days, { now, timeZone }),
    ),
    ...(subscriptions ? [section("Subscriptions in those days", subscriptionBars(subscriptions))] : []),
    section("Payments by state", barsOf(payments)),
    section("Disputes", barsOf(disputes), "There were none."),
    section("Licences", barsOf(licences)),
    section(
      "Customers",
      barsOf({ accounts: output.accounts, "connected to Discord": output.connected_to_discord }),
    ),
    section("Tickets", [
      ...barsOf({
        open: tickets.open,
        "waiting for staff": tickets.waiting_for_staff,
        "opened in 30 days": tickets.opened_in_30_days,
      }),
      { name: "first answer", value: 0, says: inTime(tickets.first_answer_seconds) },
      { name: "stars", value: 0, says: tickets.stars === null ? "-" : tickets.stars.toFixed(1) },
    ]),
  ].join("\n\n");
}

const section = (title: string, rows: Bar[], otherwise = "") =>
  `${paint("bold", title)}\n${rows.length > 0 ? barChart(rows) : otherwise}`.trimEnd();

const barsOf = (counts: Record<string, number>): Bar[] =>
  Object.entries(counts).map(([name, value]) => ({
    name: name.replaceAll("_", " "),
    value,
    says: String(value),
  }));

/** One bar per day or month, including those without sales. */
function salesBars(sales: Sale[], days: number, { now, timeZone }: Omit<StatsRange, "days">): Bar[] {
  const unit = days > mostDays ? "2026-01".length : "2026-01-02".length;
  const dates = Array.from({ length: days }, (_, index) =>
    dayIn(timeZone, now, index + 1 - days).slice(0, unit),
  );
  return [...new Set(dates)].map((name) => {
    const own = sales.filter(({ day }) => day.startsWith(name));
    const value = own.reduce((sum, { sold }) => sum + sold, 0);
    return { name, value, says: own.length === 0 ? "" : `${value} sold, ${income(own)}` };
  });
}

function subscriptionBars(shown: NonNullable<Output["subscriptions"]>): Bar[] {
  const { running, started, ended, churn, trials, payments } = shown;
  const change = running.end - running.start;
  const less = churn === null ? "" : ` (${(100 * churn).toFixed(1)}% of those that ran before)`;
  const still = `${trials.running} still ${trials.running === 1 ? "runs" : "run"}`;
  return [
    {
      name: "running",
      value: running.end,
      says: `${running.end} (${change < 0 ? "−" : "+"}${Math.abs(change)})`,
    },
    { name: "started", value: started, says: String(started) },
    { name: "ended", value: ended, says: `${ended}${less}` },
    {
      name: "trials",
      value: trials.begun,
      says: `${trials.paid} of ${trials.begun} became paid, ${still}`,
    },
    {
      name: "failed payments",
      value: payments.failed,
      says: `${payments.recovered} of ${payments.failed} recovered`,
    },
  ];
}

/** What was paid, by currency; also what was refunded or disputed and the rest, if anything was. */
function income(sales: Sale[]): string {
  const currencies = [...new Set(sales.map(({ currency }) => currency))];
  return currencies.map((currency) => incomeIn(currency, sales)).join(", ");
}

function incomeIn(currency: string, all: Sale[]): string {
  const sales = all.filter((one) => one.currency === currency);
  const sumOf = (name: "amount" | "refunded" | "disputed") => sales.reduce((sum, one) => sum + one[name], 0);
  const [paid, refunded, disputed] = [sumOf("amount"), sumOf("refunded"), sumOf("disputed")];
  const less = [
    ...(refunded === 0 ? [] : [`− ${money(refunded, currency)} refunded`]),
    ...(disputed === 0 ? [] : [`− ${money(disputed, currency)} disputed`]),
  ];
  if (less.length === 0) return money(paid, currency);
  return [money(paid, currency), ...less, "=", money(paid - refunded - disputed, currency)].join(" ");
}

function inTime(seconds: number | null): string {
  if (seconds === null) return "-";
  if (seconds < 120) return `${seconds} seconds`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`;
}
