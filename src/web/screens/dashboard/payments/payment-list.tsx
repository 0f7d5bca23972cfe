import { useQuery } from "@tanstack/react-query";
import { ReceiptText } from "lucide-react";
import { texts } from "@/contract/texts";
import { paymentsQuery } from "../../../api/payments";
import { Empty } from "../../../parts/empty";
import { useListProblem } from "../../../hooks/use-list-problem";
import { Problem } from "../../../parts/problem";
import { RowsSkeleton } from "../../../parts/rows-skeleton";
import { Card } from "../../../ui/card";
import { PaymentPages } from "./payment-pages";

/** The account's payments, with their loading, empty and error states. */
export function PaymentList() {
  const { data, error, refetch } = useQuery(paymentsQuery);
  const problem = useListProblem(error, texts.paymentsFailed);
  return (
    <Card aria-label="Payments">
      {data && data.length > 0 && <PaymentPages payments={data} />}
      {data?.length === 0 && <Empty icon={ReceiptText}>{texts.noPayments}</Empty>}
      {!data && problem && <Problem problem={problem} retry={() => void refetch()} />}
      {!data && !problem && <RowsSkeleton rows={5} />}
    </Card>
  );
}
