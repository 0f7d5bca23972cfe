import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, Printer } from "lucide-react";
import { Link, useSearchParams } from "react-router";
import { paymentStatusQuery } from "../../../api/payments";
import { useNow } from "../../../hooks/use-now";
import { formatTime } from "../../../parts/format-time";
import { areSeveral } from "../../../parts/payment/keys";
import { nextActions, type Seen } from "../../../parts/payment/next";
import { NextButton } from "../../../parts/payment/next-button";
import type { Outcome } from "../../../parts/payment/outcome";
import { PaymentResult } from "../../../parts/payment/payment-result";
import { shortId } from "../../../parts/payment/short-id";
import { useRedeemWithToast } from "../../../parts/use-redeem-with-toast";
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
        <div className="mb-3 flex flex-wrap items-center justify-between gap-x-6">
          <Link
            to="/dashboard/payments"
            className="-my-2 flex min-h-11 items-center gap-2 text-sm text-link hover:underline"
          >
            <ArrowLeft aria-hidden="true" className="size-4" />
            Back to payments
          </Link>
          {data?.data.order && (
            <span className="font-mono text-xs text-muted-foreground" title={data.data.order}>
              {shortId(data.data.order)}
            </span>
          )}
        </div>
        <PaymentResult
          reference={reference}
          whole
          time={formatTime}
          renderActions={(seen, onRetry) => <Actions seen={seen} onRetry={onRetry} />}
        />
        {data?.data.subscription && (
          <ItsSubscription id={data.data.subscription} level={data.data.level.name} />
        )}
        <Seller lines={data?.data.seller} className="mt-4 text-center text-muted-foreground" />
      </div>
      {data?.data.status && <Receipt answer={data} />}
    </div>
  );
}

/** What its owner does next; else, its receipt. */
function Actions({ seen, onRetry }: { seen: Seen; onRetry: () => void }) {
  const { outcome, payment, problem } = seen;
  const redeem = useRedeemWithToast();
  const next = nextActions(seen, { signedIn: true, now: useNow() }).filter(
    // both are a link away
    (action) => action !== "licences" && (action !== "find-order" || !payment),
  );
  const isOneSpare = payment !== undefined && next.includes("use") && !areSeveral(payment);
  const actions = isOneSpare ? [...next, "give" as const] : next;
  return (
    <>
      {actions.map((action, at) => (
        <NextButton
          key={action}
          {...{ action, payment, problem, redeem, onRetry, signedIn: true }}
          variant={at === 0 ? "default" : "outline"}
        />
      ))}
      {payment && isPaid(outcome) && (
        <Button variant={actions.length === 0 ? "default" : "outline"} size="lg" onClick={() => print()}>
          <Printer aria-hidden="true" />
          Print receipt
        </Button>
      )}
    </>
  );
}

/** Whether money was received, even if later refunded or disputed. */
const isPaid = (outcome: Outcome) => outcome !== "failed" && outcome !== "pending";
