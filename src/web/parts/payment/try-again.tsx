import type { OrderAgain, PurchaseResult } from "@/contract/wire/payments";
import { Button } from "../../ui/button";
import { PatientButton } from "../patient-button";
import { useCheckout } from "../offers/use-checkout";

/** Whether the buyer can still pay for what they ordered, or order it again. */
export const canTryAgain = (payment: Partial<PurchaseResult> | undefined): boolean =>
  Boolean(payment?.checkout_url ?? payment?.order_again);

/** Leads back to a checkout that is still open, or opens a new one for the same order. */
export function TryAgain({ payment }: { payment: PurchaseResult }) {
  const { checkout_url: page, order_again: order, currency } = payment;
  if (page)
    return (
      <Button asChild size="lg">
        <a href={page}>Try again</a>
      </Button>
    );
  return order && <OrderAnew order={order} currency={currency} />;
}

/** The tab keeps the order's promotion code. */
function OrderAnew({ order, currency }: { order: OrderAgain; currency: string }) {
  const { open, opening, problem } = useCheckout();
  const { gift, without_trial: withoutTrial = false, ...rest } = order;
  const wanted = { currency, ...rest, ...(gift && { gift: withoutNull(gift) }) };
  return (
    <>
      <PatientButton
        size="lg"
        pending={opening}
        doing="Opening checkout…"
        problem={null}
        onClick={() => void open(wanted)}
      >
        {withoutTrial ? "Subscribe without a trial" : "Try again"}
      </PatientButton>
      {problem && (
        <p role="alert" className="order-last basis-full text-center text-sm text-destructive-text">
          {problem.problem}
        </p>
      )}
    </>
  );
}

const withoutNull = ({ email, from, message }: NonNullable<OrderAgain["gift"]>) => ({
  email,
  ...(from !== null && { from }),
  ...(message !== null && { message }),
});
