import { useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode, useState } from "react";
import { nextChargeText } from "@/contract/vocabulary/next-charge";
import { texts } from "@/contract/vocabulary/texts";
import { type PaymentAnswer, type PaymentReference, paymentStatusQuery } from "../../api/payments";
import { formatDayOf } from "../format-time";
import { OutcomeCard } from "../outcome-card";
import { FactsGrid } from "./facts-grid";
import { KeyList } from "./key-list";
import { isUnusable, readyKey } from "./keys";
import { OrderDetails } from "./order-details";
import { type Outcome, resultOutcome, titleOf } from "./outcome";
import { PendingPanel } from "./pending-panel";
import { Skeleton } from "../../ui/skeleton";
import { CopyButton } from "../copy-button";

/** The shortest time that a refresh shows its skeletons. */
const refreshShownMilliseconds = 1_000;

type Payment = PaymentAnswer["data"] | undefined;

/**
 * A payment's status with a refresh button: the key, what to do next (`renderActions`), then the facts. `whole` shows
 * the bill of every order.
 */
export function PaymentResult(props: {
  /** Undefined until the page knows what it was asked for. */
  reference: PaymentReference | null | undefined;
  /** The format of its time, if not that of the result page. */
  time?: (at: Date) => string;
  whole?: boolean;
  renderActions: (outcome: Outcome, payment: Payment) => ReactNode;
}) {
  const { reference = null } = props;
  const { data, error, isLoading, refetch } = useQuery(paymentStatusQuery(reference));
  const [refreshing, setRefreshing] = useState(false);
  const verifying = props.reference === undefined || (isLoading && !refreshing);

  const answer = error ? undefined : data;
  const payment = answer?.data;
  const outcome = resultOutcome(titleOf(answer));
  const struckThrough = outcome === "disputed" || isUnusable(payment ?? {}, 0);
  const key = struckThrough ? null : readyKey(payment);
  const known = payment?.status ? payment : null;
  const refresh = async () => {
    setRefreshing(true);
    await Promise.all([
      reference && refetch(),
      new Promise((resolve) => setTimeout(resolve, refreshShownMilliseconds)),
    ]);
    setRefreshing(false);
  };
  return (
    <OutcomeCard
      label="Payment"
      className="gap-6"
      verifying="Verifying payment…"
      known={
        verifying
          ? null
          : {
              outcome,
              title: titleOf(answer),
              text: payment?.message ? textOf(payment) : reasonFor(error, reference),
              refreshing,
              onRefresh: () => void refresh(),
            }
      }
    >
      {/* A new status draws all below anew, instead of moving it. */}
      <Fragment key={titleOf(answer)}>
        {key && <KeyPanel licenceKey={key} loading={refreshing} />}
        {known && known.license_keys?.length > 1 && (
          <KeyList payment={known} struckThrough={outcome === "disputed"} />
        )}
        {known && outcome === "pending" && <PendingPanel payment={known} />}
        <div className="flex flex-col gap-3 sm:flex-row sm:flex-wrap sm:justify-center">
          {props.renderActions(outcome, payment)}
        </div>
        <FactsGrid
          payment={payment}
          keyless={key !== null}
          struckThrough={struckThrough}
          loading={refreshing}
          time={props.time}
        />
        {known && <OrderDetails payment={known} whole={props.whole ?? false} />}
      </Fragment>
    </OutcomeCard>
  );
}

function textOf({ message, next_charge: next, for_account: added }: NonNullable<Payment>): string {
  if (!next) return message;
  const guests = added ? "" : " You cancel by the link in your receipt.";
  return `${message} ${nextChargeText(next, formatDayOf(next.at))}${guests}`;
}

function reasonFor(error: Error | null, reference: PaymentReference | null) {
  if (error) return error.message;
  return reference ? texts.unknownError : "This link does not say which payment to show.";
}

/** The key that was bought, large, first of the payment's facts. */
function KeyPanel({ licenceKey, loading }: { licenceKey: string; loading: boolean }) {
  return (
    <div className="flex flex-col gap-3 rounded-lg border border-ring/40 bg-primary/10 p-4 sm:flex-row sm:items-center sm:justify-between">
      <dl className="min-w-0">
        <dt className="text-xs text-muted-foreground">License Key</dt>
        <dd className="mt-1 flex min-h-7 items-center font-mono text-base font-semibold break-all sm:text-xl">
          {loading ? <Skeleton className="h-5 w-60 max-w-full" /> : licenceKey}
        </dd>
      </dl>
      <CopyButton words="Copy" text={licenceKey} label="Copy license key" className="max-sm:w-full" />
    </div>
  );
}
