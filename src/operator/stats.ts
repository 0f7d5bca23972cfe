import { Command } from "commander";
import { isoDay } from "@/contract/dates";
import { money } from "@/contract/money";
import { day } from "@/contract/time";
import { statistics } from "@/domain/customers/statistics";
import { withShop, example, print, withJson } from "./command-line";
import { paint } from "./colours";
import { type Bar, bars, counted } from "./table";
import { days as wholeDays } from "./arguments";

/** Up to this many days there is a bar per day; beyond that, per month. */
const mostDays = 62;

/** `shop stats` */
export const statsVerb = (): Command =>
  withJson(new Command("stats"))
    .description("sales, payments, disputes, licences, accounts and tickets")
    .option(
      "--days <number>",
      `how many days of sales to show: by day, or by month beyond ${mostDays} days`,
      wholeDays,
      30,
    )
    .addHelpText("after", example("stats --days 90"))
    .action(({ days, json }: { days: number; json?: boolean }) =>
      withShop(async ({ ctx }) => {
        const output = await statistics(ctx, days);
        print(json, output, inWords(output, { days, now: ctx.now() }));
      }),
    );

type Output = Awaited<ReturnType<typeof statistics>>;
type Sale = Output["sales"][number];

function inWords(output: Output, { days, now }: { days: number; now: Date }): string {
  const { sales, payments, disputes, licences, tickets } = output;
  const sold = sales.reduce((sum, sale) => sum + sale.sold, 0);
  const total = sold === 0 ? "nothing was sold" : `${sold} sold, ${income(sales)}`;
  return [
    section(
      `Sales in the last ${counted(days, "day")}: ${total}`,
      sold === 0 ? [] : salesBars(sales, days, now),
    ),
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
  `${paint("bold", title)}\n${rows.length > 0 ? bars(rows) : otherwise}`.trimEnd();

const barsOf = (counts: Record<string, number>): Bar[] =>
  Object.entries(counts).map(([name, value]) => ({
    name: name.replaceAll("_", " "),
    value,
    says: String(value),
  }));

/** One bar per day or month, including those without sales. */
function salesBars(sales: Sale[], days: number, now: Date): Bar[] {
  const unit = days > mostDays ? "2026-01".length : "2026-01-02".length;
  const dates = Array.from({ length: days + 1 }, (_, back) =>
    isoDay(new Date(now.getTime() - (days - back) * day)).slice(0, unit),
  );
  return [...new Set(dates)].map((name) => {
    const own = sales.filter(({ day }) => day.startsWith(name));
    const value = own.reduce((sum, { sold }) => sum + sold, 0);
    return { name, value, says: value === 0 ? "" : `${value} sold, ${income(own)}` };
  });
}

/** What was paid, by currency; where something was refunded, that and what is left. */
function income(sales: Sale[]): string {
  const sums = new Map<string, { paid: number; back: number }>();
  for (const { currency, amount, refunded } of sales) {
    const { paid, back } = sums.get(currency) ?? { paid: 0, back: 0 };
    sums.set(currency, { paid: paid + amount, back: back + refunded });
  }
  const words = [...sums].map(([currency, { paid, back }]) => {
    const [gross, refunds, net] = [paid, back, paid - back].map((amount) => money(amount, currency));
    return back === 0 ? gross : `${gross} − ${refunds} refunded = ${net}`;
  });
  return words.join(", ");
}

function inTime(seconds: number | null): string {
  if (seconds === null) return "-";
  if (seconds < 120) return `${seconds} seconds`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`;
}
