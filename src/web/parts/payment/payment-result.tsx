import { useQuery } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { type ReactNode, useState } from "react";
import { texts } from "@/contract/texts";
import { type PaymentAnswer, type PaymentReference, paymentStatusQuery } from "../../api/payments";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { cn } from "../../lib/utils";
import { Skeleton } from "../../ui/skeleton";
import { Spinner } from "../spinner";
import { FactsGrid } from "./facts-grid";
import { type Outcome, outcomeOf, titleOf } from "./outcome";
import { OrderDetails } from "./order-details";
import { OutcomeIcon } from "./outcome-icon";

/** A refresh shows its skeletons for at least this long. */
const refreshShownMilliseconds = 1_000;

/** A payment's status with a refresh button. `renderActions` renders the buttons below. */
export function PaymentResult(props: {
  reference: PaymentReference | null;
  renderActions: (outcome: Outcome, payment: PaymentAnswer["data"] | undefined) => ReactNode;
}) {
  const { data, error, isLoading, refetch } = useQuery(paymentStatusQuery(props.reference));
  const [refreshing, setRefreshing] = useState(false);
  if (isLoading && !refreshing) return <Verifying />;

  const answer = error ? undefined : data;
  const title = titleOf(answer);
  const outcome = outcomeOf(title);
  const refresh = async () => {
    setRefreshing(true);
    await Promise.all([
      props.reference && refetch(),
      new Promise((resolve) => setTimeout(resolve, refreshShownMilliseconds)),
    ]);
    setRefreshing(false);
  };
  return (
    <Card className="relative gap-6" aria-label="Payment" aria-busy={refreshing}>
      <Button
        variant="ghost"
        size="icon"
        aria-label="Refresh status"
        className="absolute top-3 right-3 text-muted-foreground"
        disabled={refreshing}
        onClick={() => void refresh()}
      >
        <RefreshCw className={cn(refreshing && "animate-spin")} />
      </Button>
      {/* Tall enough for either state, so that a refresh shifts nothing. */}
      <output className="flex min-h-40 flex-col items-center gap-4 px-6 pt-4 text-center">
        {refreshing ? (
          <HeadSkeleton />
        ) : (
          <>
            <OutcomeIcon outcome={outcome} />
            <div className="flex flex-col gap-2">
              <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
              <p className="mx-auto max-w-md text-sm text-balance text-muted-foreground">
                {answer?.data.message ?? reasonFor(error, props.reference)}
              </p>
            </div>
          </>
        )}
      </output>
      <FactsGrid payment={answer?.data} struckThrough={outcome === "disputed"} loading={refreshing} />
      {answer?.data?.status && !refreshing && (
        <OrderDetails payment={answer.data} struckThrough={outcome === "disputed"} />
      )}
      <div className="flex flex-col gap-3 sm:flex-row sm:flex-wrap sm:justify-center">
        {props.renderActions(outcome, answer?.data)}
      </div>
    </Card>
  );
}

function Verifying() {
  return (
    <Card className="min-h-96 items-center justify-center text-center" aria-label="Payment" aria-busy="true">
      <Spinner className="size-10 text-link" />
      <h1 className="text-lg font-medium">
        <output>Verifying payment…</output>
      </h1>
    </Card>
  );
}

function HeadSkeleton() {
  return (
    <>
      <h1 className="sr-only">Refreshing…</h1>
      <Skeleton className="size-16 rounded-full" />
      <Skeleton className="h-8 w-56" />
      <Skeleton className="h-4 w-72 max-w-full" />
    </>
  );
}

function reasonFor(error: Error | null, reference: PaymentReference | null) {
  if (error) return error.message;
  return reference ? texts.unknownError : "This link does not say which payment to show.";
}
