import { useInfiniteQuery } from "@tanstack/react-query";
import { ReceiptText } from "lucide-react";
import { texts } from "@/contract/vocabulary/texts";
import { paymentsQuery } from "../../../api/payments";
import { Empty } from "../../../parts/empty";
import { useProblemToast } from "../../../parts/use-problem-toast";
import { Loaded } from "../../../parts/loaded";
import { RowsSkeleton } from "../../../parts/rows-skeleton";
import { Card } from "../../../ui/card";
import { PaymentPages } from "./payment-pages";

/** The account's payments, with their loading, empty and error states. */
export function PaymentList() {
  const payments = useInfiniteQuery(paymentsQuery);
  useProblemToast(payments.error, texts.paymentsFailed);
  return (
    <Card aria-label="Payments">
      <Loaded
        query={payments}
        skeleton={<RowsSkeleton rows={5} />}
        empty={<Empty icon={ReceiptText}>{texts.noPayments}</Empty>}
      >
        {(loaded) => <PaymentPages payments={loaded} list={payments} />}
      </Loaded>
    </Card>
  );
}
