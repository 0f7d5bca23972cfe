import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { texts } from "@/contract/texts";
import { type PaymentAnswer, type PaymentReference, paymentStatusQuery } from "../../api/payments";
import { OutcomeCard, Verifying } from "../outcome-card";
import { FactsGrid } from "./facts-grid";
import { OrderDetails } from "./order-details";
import { type Outcome, outcomeOf, titleOf } from "./outcome";

/** How long a refresh shows its skeletons at least. */
const refreshShownMilliseconds = 1_000;

/** A payment's status with a refresh button. `renderActions` renders the buttons below. */
export function PaymentResult(props: {
  reference: PaymentReference | null;
  /** How its time is written, if not as on the result page. */
  time?: (at: Date) => string;
  renderActions: (outcome: Outcome, payment: PaymentAnswer["data"] | undefined) => ReactNode;
}) {
  const { data, error, isLoading, refetch } = useQuery(paymentStatusQuery(props.reference));
  const [refreshing, setRefreshing] = useState(false);
  if (isLoading && !refreshing) return <VerifyingPayment />;

  const answer = error ? undefined : data;
  const outcome = outcomeOf(titleOf(answer));
  const refresh = async () => {
    setRefreshing(true);
    await Promise.all([
      props.reference && refetch(),
      new Promise((resolve) => setTimeout(resolve, refreshShownMilliseconds)),
    ]);
    setRefreshing(false);
  };
  return (
    <OutcomeCard
      label="Payment"
      className="gap-6"
      outcome={outcome}
      title={titleOf(answer)}
      text={answer?.data.message ?? reasonFor(error, props.reference)}
      refreshing={refreshing}
      onRefresh={() => void refresh()}
    >
      <FactsGrid
        payment={answer?.data}
        struckThrough={outcome === "disputed"}
        loading={refreshing}
        time={props.time}
      />
      {answer?.data?.status && !refreshing && (
        <OrderDetails payment={answer.data} struckThrough={outcome === "disputed"} />
      )}
      <div className="flex flex-col gap-3 sm:flex-row sm:flex-wrap sm:justify-center">
        {props.renderActions(outcome, answer?.data)}
      </div>
    </OutcomeCard>
  );
}

/** Shown while the payment's status is unknown. */
export const VerifyingPayment = () => <Verifying label="Payment">Verifying payment…</Verifying>;

function reasonFor(error: Error | null, reference: PaymentReference | null) {
  if (error) return error.message;
  return reference ? texts.unknownError : "This link does not say which payment to show.";
}
