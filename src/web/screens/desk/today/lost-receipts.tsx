import { Link } from "react-router";
import type { LostReceipt } from "@/contract/wire/desk/attention";
import { SendAgain } from "../payments/send-again";

/** The newest receipts that never arrived, with what the mail server said; one press sends them again. */
export function LostReceipts({ receipts, count }: { receipts: readonly LostReceipt[]; count: number }) {
  return (
    <ul className="flex flex-col gap-1 pb-2 pl-7">
      {receipts.map(({ payment, letter, to, words }) => (
        <li key={`${payment} ${letter}`} className="flex flex-wrap items-center gap-x-4 gap-y-1 pr-2 text-sm">
          <Link
            to={`/desk/payments/${payment}`}
            className="inline-flex min-h-11 items-center font-medium wrap-anywhere text-link underline-offset-4 hover:underline md:min-h-8"
          >
            {to}
          </Link>
          <q className="min-w-40 flex-1 wrap-anywhere text-muted-foreground">{words}</q>
          <SendAgain payment={payment} about={to} />
        </li>
      ))}
      {count > 1 && (
        <li className="empty:hidden">
          <SendAgain />
        </li>
      )}
    </ul>
  );
}
