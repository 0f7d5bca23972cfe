import { useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode, useState } from "react";
import { texts } from "@/contract/vocabulary/texts";
import { type PaymentReference, paymentStatusQuery } from "../../api/payments";
import { useNow } from "../../hooks/use-now";
import { OutcomeCard } from "../outcome-card";
import { FactsGrid } from "./facts-grid";
import { KeyList } from "./key-list";
import { areSeveral, isUnusable, spareKey } from "./keys";
import type { Seen } from "./next";
import { boughtText } from "./order";
import { OrderDetails } from "./order-details";
import { ownOutcome, resultOutcome, titleOf } from "./outcome";
import { PendingPanel } from "./pending-panel";
import { mailedText, saidOf } from "./said";
import { Skeleton } from "../../ui/skeleton";
import { CopyButton } from "../copy-button";

/** The shortest time that a refresh shows its skeletons. */
const refreshShownMilliseconds = 1_000;

/**
 * A payment's status with a refresh button: the key, what to do next (`renderActions`), then the facts. `whole`: the
 * account's own page, which shows the bill of every order.
 */
export function PaymentResult(props: {
  /** Undefined until the page knows what it was asked for. */
  reference: PaymentReference | null | undefined;
  /** The format of its time, if not that of the result page. */
  time?: (at: Date) => string;
  whole?: boolean;
  renderActions: (seen: Seen, onRetry: () => void) => ReactNode;
}) {
  const { reference = null, whole = false } = props;
  const { data, error, isLoading, refetch } = useQuery(paymentStatusQuery(reference));
  const [refreshing, setRefreshing] = useState(false);
  const now = useNow();
  const verifying = props.reference === undefined || (isLoading && !refreshing);

  const answer = error ? undefined : data;
  const payment = answer?.data;
  const outcome = (whole ? ownOutcome : resultOutcome)(titleOf(answer));
  const known = payment?.status ? payment : null;
  const several = known !== null && areSeveral(known);
  const struckThrough = outcome === "disputed" || isUnusable(payment ?? {}, 0);
  const key = struckThrough || several ? null : spareKey(payment);
  const mailed = known && mailedText(known);
  const refresh = async () => {
    setRefreshing(true);
    await Promise.all([
      reference && refetch(),
      new Promise((resolve) => setTimeout(resolve, refreshShownMilliseconds)),
    ]);
    setRefreshing(false);
  };
  const onRefresh = () => void refresh();
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
              about: known ? boughtText(known) : undefined,
              text: payment?.message ? saidOf(payment, now) : reasonFor(error, reference),
              refreshing,
              onRefresh,
            }
      }
    >
      {/* A new status draws all below anew, instead of moving it. */}
      <Fragment key={titleOf(answer)}>
        {key && <KeyPanel licenceKey={key} mailed={mailed} loading={refreshing} />}
        {several && <KeyList payment={known} struckThrough={outcome === "disputed"} mailed={mailed} />}
        {!key && !several && mailed && <p className="-mt-3 text-center text-sm wrap-anywhere">{mailed}</p>}
        {known && outcome === "pending" && <PendingPanel payment={known} />}
        <div className="flex flex-col gap-3 sm:flex-row sm:flex-wrap sm:justify-center">
          {props.renderActions({ outcome, payment, problem: error }, onRefresh)}
        </div>
        <FactsGrid
          payment={payment}
          keyless={key !== null}
          struckThrough={struckThrough}
          loading={refreshing}
          time={props.time}
        />
        {known && <OrderDetails payment={known} whole={whole} />}
      </Fragment>
    </OutcomeCard>
  );
}

function reasonFor(error: Error | null, reference: PaymentReference | null) {
  if (error) return error.message;
  return reference ? texts.unknownError : "This link doesn't say which payment to show.";
}

/** The key that was bought, large, first of the payment's facts. */
function KeyPanel(props: { licenceKey: string; mailed: string | null; loading: boolean }) {
  const { licenceKey, mailed, loading } = props;
  return (
    <div className="flex flex-col gap-3 rounded-lg border border-ring/40 bg-primary/10 p-4 sm:flex-row sm:items-center sm:justify-between">
      <dl className="min-w-0">
        <dt className="text-xs text-muted-foreground">License Key</dt>
        <dd className="mt-1 flex min-h-7 items-center font-mono text-base font-semibold break-all sm:text-xl">
          {loading ? <Skeleton className="h-5 w-60 max-w-full" /> : licenceKey}
        </dd>
        {mailed && <dd className="mt-1 text-sm text-soft wrap-anywhere">{mailed}</dd>}
      </dl>
      <CopyButton words="Copy" text={licenceKey} label="Copy license key" className="max-sm:w-full" />
    </div>
  );
}
