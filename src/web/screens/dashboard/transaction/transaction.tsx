import { useQuery } from "@tanstack/react-query";
import { Printer } from "lucide-react";
import { Link, useSearchParams } from "react-router";
import { paymentStatusQuery } from "../../../api/payments";
import { formatTime } from "../../../parts/format-time";
import type { Outcome } from "../../../parts/payment/outcome";
import { PaymentResult } from "../../../parts/payment/payment-result";
import { shortId } from "../../../parts/payment/short-id";
import { TryAgain } from "../../../parts/payment/try-again";
import { Button } from "../../../ui/button";
import { ItsSubscription } from "./its-subscription";
import { Receipt } from "./receipt";
import { Seller } from "./seller";

/** One payment of the account; printing shows its receipt. */
export function Transaction() {
  const [query] = useSearchParams();
  const intent = query.get("payment_intent");
  const reference = intent === null ? null : { payment_intent: intent };
  const { data } = useQuery(paymentStatusQuery(reference));
  return (
    <div className="mx-auto w-full max-w-2xl">
      <div className="print:hidden">
        <p className="mb-3 min-h-5 text-sm text-muted-foreground">
          {data?.data.order && (
            <span>
              Payment <span className="font-mono text-xs text-foreground">{shortId(data.data.order)}</span>
            </span>
          )}
        </p>
        <PaymentResult
          reference={reference}
          whole
          time={formatTime}
          renderActions={(outcome, payment) => (
            <>
              {payment && <TryAgain payment={payment} />}
              <Button asChild variant="outline" size="lg">
                <Link to="/dashboard/payments">Back to payments</Link>
              </Button>
              {payment && isPaid(outcome) && (
                <Button size="lg" onClick={() => print()}>
                  <Printer aria-hidden="true" />
                  Print receipt
                </Button>
              )}
            </>
          )}
        />
        {data?.data.subscription && <ItsSubscription id={data.data.subscription} />}
        <Seller lines={data?.data.seller} className="mt-4 text-center text-muted-foreground" />
      </div>
      {data?.data.status && <Receipt answer={data} />}
    </div>
  );
}

/** Whether money was received, even if later refunded or disputed. */
const isPaid = (outcome: Outcome) => outcome !== "failed" && outcome !== "pending";
