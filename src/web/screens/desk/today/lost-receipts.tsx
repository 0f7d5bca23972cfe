import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { listLostReceipts } from "@/contract/operations/payments";
import { minute } from "@/contract/vocabulary/time";
import { callOperation } from "../../../api/desk/operations";
import { refetchWhenTouched } from "../../../api/desk/presence";
import { SendAgain } from "../payments/send-again";

/** As many as are sent again one by one without leaving the page. */
const most = 3;

/** The newest receipts that never arrived, with what the mail server said, and a press that sends them again. */
export function LostReceipts() {
  const { data = [] } = useQuery({
    queryKey: ["desk", "lost-receipts"],
    queryFn: () => callOperation(listLostReceipts, {}),
    staleTime: minute,
    ...refetchWhenTouched,
  });
  return (
    <ul className="flex flex-col gap-1 pb-2 pl-7">
      {data.slice(0, most).map(({ payment, letter, to, words }) => (
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
      {data.length > 1 && (
        <li>
          <SendAgain />
        </li>
      )}
    </ul>
  );
}
