import type { Figures } from "../../../api/desk/figures";
import { Link } from "react-router";
import { isoDay } from "@/contract/vocabulary/dates";
import { day } from "@/contract/vocabulary/time";
import { bucketText } from "../parts/dates";
import { furtherMeasures, measures, rowsBehind } from "./measures";

/** All figures of the range in numbers, newest first. */
export function FiguresTable({ figures, offer }: { figures: Figures; offer: string }) {
  const { series, totals, currency, bucket } = figures;
  const shown = [...measures, ...furtherMeasures].filter(
    ({ field }) => totals[field] !== null || series.some((one) => one[field] !== null),
  );
  const cell = "px-3 py-2 text-right tabular-nums whitespace-nowrap";
  return (
    <section
      aria-label="Figures as a table"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling area must be reachable by keyboard
      tabIndex={0}
      className="max-h-112 overflow-auto rounded-md border"
    >
      <table className="w-full text-sm">
        <caption className="sr-only">The shop&apos;s figures, newest first</caption>
        <thead>
          <tr className="sticky top-0 bg-card text-xs text-muted-foreground">
            <th scope="col" className="px-3 py-2 text-left font-medium">
              {bucket === "day" ? "Day" : bucket === "week" ? "Week" : "Month"}
            </th>
            {shown.map(({ field, name }) => (
              <th key={field} scope="col" className={`${cell} font-medium`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {series.toReversed().map((one) => (
            <tr key={one.date} className="border-t">
              <th scope="row" className="px-3 py-2 text-left font-normal whitespace-nowrap">
                <Link
                  to={rowsBehind("payments", { from: one.date, to: lastDay(one.date, figures) }, offer)}
                  title="Payments opened then"
                  className="inline-flex min-h-11 items-center text-link underline-offset-4 hover:underline md:min-h-0"
                >
                  {bucketText(one.date, bucket)}
                </Link>
              </th>
              {shown.map(({ field, write }) => (
                <td key={field} className={cell}>
                  {one[field] === null ? "–" : write(one[field], currency)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="border-t font-medium">
            <th scope="row" className="px-3 py-2 text-left font-medium">
              Total
            </th>
            {shown.map(({ field, write }) => (
              <td key={field} className={cell}>
                {totals[field] === null ? "–" : write(totals[field], currency)}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

/** The last day of the bucket that begins on a date. */
function lastDay(date: string, { bucket, series, to }: Figures): string {
  if (bucket === "day") return date;
  const next = series.find((one) => one.date > date)?.date;
  return next === undefined ? to : isoDay(new Date(Date.parse(next) - day));
}
