import { useMutation } from "@tanstack/react-query";
import { Download, FileSpreadsheet } from "lucide-react";
import { exportSales } from "@/contract/operations/payments";
import { balanceWord, netByCurrency } from "@/contract/vocabulary/balance-words";
import { isoDay } from "@/contract/vocabulary/dates";
import { signedMoney } from "@/contract/vocabulary/money";
import type { SalesOfMonth } from "@/contract/wire/desk/sales";
import { NotConfirmed } from "../../../api/desk/call";
import { downloadConfirmed } from "../../../api/desk/download";
import { FormAlert } from "../../../parts/form-alert";
import { PatientButton } from "../../../parts/patient-button";
import { deskOperation } from "../operation/operation";
import { counted } from "../parts/format";
import { useMe } from "../parts/me";

/** The tax adviser's export: a month, its sums, and then its file. */
export const sales = deskOperation(exportSales, {
  name: "Sales of a month",
  icon: FileSpreadsheet,
  consequence: () =>
    "Adds up what moved Stripe's balance in a month, and makes the file for your tax adviser.",
  fields: { month: { initial: lastMonth() } },
  done: ({ rows }) => `The month has ${counted(rows, "row", "rows")}.`,
  result: (month) => <Month month={month} />,
});

/** In UTC; people type another where theirs differs. */
function lastMonth(): string {
  const now = new Date();
  return isoDay(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1))).slice(0, 7);
}

function Month({ month: { month, rows, sums, outside, notes } }: { month: SalesOfMonth }) {
  const { confirmed_until } = useMe();
  const download = useMutation({
    mutationKey: ["desk", "export"],
    mutationFn: () => downloadConfirmed(`/api/desk/sales/${month}/sales.csv`, confirmed_until),
  });
  const problem = download.error instanceof NotConfirmed ? null : download.error;
  return (
    <section aria-label={`Sales of ${month}`} className="flex flex-col gap-4 text-sm">
      <FormAlert problem={problem} />
      {notes.map((note) => (
        <p key={note} className="text-soft">
          {note}
        </p>
      ))}
      <ul className="divide-y">
        {sums.map(({ currency, kind, count, amount, fee, net }) => (
          <Line
            key={`${currency} ${kind}`}
            name={`${balanceWord(kind)} (${count})`}
            sum={signedMoney(net, currency)}
            detail={fee === 0 ? "" : `${signedMoney(amount, currency)}, fee ${signedMoney(fee, currency)}`}
          />
        ))}
        {netByCurrency(sums).map(([currency, net]) => (
          <Line
            key={currency}
            name="Net after fees, as Stripe reports it"
            sum={signedMoney(net, currency)}
            total
          />
        ))}
        {outside.map(({ currency, count, amount }) => (
          <Line
            key={`outside ${currency}`}
            name={`Paid outside Stripe (${count})`}
            sum={signedMoney(amount, currency)}
          />
        ))}
      </ul>
      {rows === 0 ? (
        <p className="text-muted-foreground">Nothing moved Stripe's balance in that month.</p>
      ) : (
        <PatientButton
          variant="outline"
          className="self-start"
          pending={download.isPending}
          doing="Starting…"
          problem={null}
          onClick={() => download.mutate()}
        >
          <Download aria-hidden="true" />
          <span>{`Download ${counted(rows, "row", "rows")} as CSV`}</span>
        </PatientButton>
      )}
    </section>
  );
}

function Line(props: { name: string; sum: string; detail?: string; total?: boolean }) {
  const { name, sum, detail = "", total = false } = props;
  return (
    <li className={`flex flex-wrap items-baseline gap-x-4 py-2 ${total ? "font-medium" : ""}`}>
      <span className="mr-auto">{name}</span>
      <span className="tabular-nums">{sum}</span>
      {detail !== "" && <span className="basis-full text-muted-foreground tabular-nums">{detail}</span>}
    </li>
  );
}
