import type { OrderAgain } from "@/contract/payments";
import { PatientButton } from "../patient-button";
import { useCheckout } from "../offers/use-checkout";

/** Opens a new checkout for the same order; the tab keeps its promotion code. */
export function TryAgain({ order, currency }: { order: OrderAgain; currency: string }) {
  const { open, opening, problem } = useCheckout();
  const { gift, ...rest } = order;
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
        Try again
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
