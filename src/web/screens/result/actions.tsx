import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link } from "react-router";
import { meQuery, useSession } from "../../api/session";
import { useNow } from "../../hooks/use-now";
import { pageOfCode, waitingCode } from "../../parts/devices/waiting-code";
import { nextActions, type Seen } from "../../parts/payment/next";
import { NextButton } from "../../parts/payment/next-button";
import { useRedeemWithToast } from "../../parts/use-redeem-with-toast";
import { Button } from "../../ui/button";
import { RunningSteps } from "./running-steps";

/** What the buyer does next: the most likely first, and the way home last. */
export function Actions({ seen, onRetry }: { seen: Seen; onRetry: () => void }) {
  const { outcome, payment, problem } = seen;
  const session = useSession();
  const redeem = useRedeemWithToast();
  const now = useNow();
  const user = session.state === "signed-in" ? session.user : null;
  const isAdded = user !== null && payment?.for_account === "added" && outcome === "verified";
  useFreshAccount(isAdded);
  // as high as the button that comes
  if (session.state === "loading") return <span className="h-12 w-32" />;

  const actions = nextActions(seen, { signedIn: user !== null, now });
  const begins = actions[0] === "use" || actions[0] === "register";
  // a computer whose owner came to buy
  const waiting = isAdded ? waitingCode.recall(now) : null;
  return (
    <>
      {waiting && (
        <Button asChild size="lg" className="sm:basis-full">
          <Link to={pageOfCode(waiting.code)}>Continue with code {waiting.code}</Link>
        </Button>
      )}
      {isAdded && <RunningSteps user={user} addedKey={payment.license_key} primary={waiting === null} />}
      {actions.map((action, at) => (
        <NextButton
          key={action}
          {...{ action, payment, problem, redeem, onRetry, signedIn: user !== null }}
          variant={at === 0 && !isAdded ? "default" : "outline"}
        />
      ))}
      {begins && <RunningSteps user={user} addedKey={null} />}
      <Button asChild variant={actions.length > 0 ? "ghost" : "default"} size="lg">
        <Link to="/">Go Home</Link>
      </Button>
    </>
  );
}

/** Fetches the account again, because the payment may have added to it meanwhile. */
function useFreshAccount(isAdded: boolean) {
  const queries = useQueryClient();
  useEffect(() => {
    if (isAdded) void queries.invalidateQueries(meQuery);
  }, [isAdded, queries]);
}
