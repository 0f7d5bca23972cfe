import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link } from "react-router";
import type { PurchaseResult } from "@/contract/wire/payments";
import { licencesQuery } from "../../api/licences";
import { meQuery, useSession } from "../../api/session";
import { useNow } from "../../hooks/use-now";
import { useRedeemWithToast } from "../../parts/use-redeem-with-toast";
import { pageOfCode, waitingCode } from "../../parts/devices/waiting-code";
import { isWholeKey } from "../../parts/payment/facts";
import type { Outcome } from "../../parts/payment/outcome";
import { canTryAgain, TryAgain } from "../../parts/payment/try-again";
import { UseKeyButton } from "../../parts/use-key-button";
import { Button } from "../../ui/button";
import { AddedNote } from "./added-note";

type Payment = PurchaseResult | undefined;

/** What the buyer does next: the most likely first, and the way home last. */
export function Actions({ outcome, payment }: { outcome: Outcome; payment: Payment }) {
  const first = outcome === "verified" || canTryAgain(payment);
  return (
    <>
      {outcome === "verified" && <AfterPaying payment={payment} />}
      {payment && <TryAgain payment={payment} />}
      <Button asChild variant={first ? "outline" : "default"} size="lg">
        <Link to="/">Go Home</Link>
      </Button>
    </>
  );
}

/** Signed-in buyers who bought for themselves go to their account or redeem the key; everybody else registers. */
function AfterPaying({ payment }: { payment: Payment }) {
  const session = useSession();
  const redeem = useRedeemWithToast();
  const signedIn = session.state === "signed-in";
  const key = useUnusedKey(payment, signedIn);
  const isAdded = signedIn && payment?.for_account === "added";
  useFreshAccount(isAdded);
  // as tall as the button that replaces it
  if (session.state === "loading") return <span className="h-12 w-32" />;
  if (!signedIn) return payment?.gift ? null : <RegisterLink payment={payment} />;
  if (isAdded) return <Added licenceKey={payment.license_key} />;
  const isOfNoUse = payment?.for_account === "redundant" || payment?.for_account === "waiting";
  if (!isWholeKey(key) || isOfNoUse) return <LicencesLink primary />;
  return (
    <>
      <p className="basis-full text-center text-sm text-muted-foreground">
        Signed in as {session.user.username}.
      </p>
      <UseKeyButton redeem={redeem} licenceKey={key} />
    </>
  );
}

function RegisterLink({ payment }: { payment: Payment }) {
  return (
    <Button asChild size="lg">
      <Link to={registerPage(payment)}>Register</Link>
    </Button>
  );
}

function Added({ licenceKey }: { licenceKey: string | null }) {
  const waiting = waitingCode.recall(useNow(1_000));
  return (
    <>
      <AddedNote licenceKey={licenceKey} />
      {waiting && (
        <Button asChild size="lg">
          <Link to={pageOfCode(waiting.code)}>Continue with code {waiting.code}</Link>
        </Button>
      )}
      <Button asChild size="lg" variant={waiting ? "outline" : "default"}>
        <Link to="/dashboard/download">Download</Link>
      </Button>
      <LicencesLink primary={false} />
    </>
  );
}

const LicencesLink = ({ primary }: { primary: boolean }) => (
  <Button asChild size="lg" variant={primary ? "default" : "outline"}>
    <Link to="/dashboard/license">Your licenses</Link>
  </Button>
);

/** Fetches the account again, because the payment may have added to it meanwhile. */
function useFreshAccount(isAdded: boolean) {
  const queries = useQueryClient();
  useEffect(() => {
    if (isAdded) void queries.invalidateQueries(meQuery);
  }, [isAdded, queries]);
}

/** The first complete key that isn't on the account yet. */
function useUnusedKey(payment: Payment, signedIn: boolean) {
  const several = (payment?.license_keys?.length ?? 0) > 1;
  const { data: licences } = useInfiniteQuery({ ...licencesQuery, enabled: signedIn && several });
  if (!several) return payment?.license_key;
  return payment?.license_keys.find(
    (one) => isWholeKey(one) && !licences?.some((licence) => licence.key === one),
  );
}

/** The registration page reads these and clears the URL at once. A masked key comes with a masked email. */
function registerPage(payment: Payment) {
  if (!isWholeKey(payment?.license_key)) return "/register";
  const query = new URLSearchParams({ license_key: payment.license_key });
  if (payment.email) query.set("email", payment.email);
  return `/register?${query}`;
}
