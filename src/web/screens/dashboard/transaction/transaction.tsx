import { Link, useSearchParams } from "react-router";
import { PaymentResult } from "../../../parts/payment/payment-result";
import { Button } from "../../../ui/button";

/** One payment of the account. */
export function Transaction() {
  const [query] = useSearchParams();
  const intent = query.get("payment_intent");
  return (
    <div className="mx-auto w-full max-w-2xl">
      <PaymentResult
        reference={intent === null ? null : { payment_intent: intent }}
        renderActions={() => (
          <Button asChild variant="outline" size="lg">
            <Link to="/dashboard/payments">Back to payments</Link>
          </Button>
        )}
      />
    </div>
  );
}
