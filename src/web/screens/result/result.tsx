import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link } from "react-router";
import type { PurchaseResult } from "@/contract/payments";
import { licencesQuery } from "../../api/licences";
import { lastCheckout } from "../../api/payments";
import { meQuery, useSession } from "../../api/session";
import { useHydrated } from "../../hooks/use-hydrated";
import { usePrivateParameters } from "../../hooks/use-private-parameters";
import { useRedeemWithToast } from "../../hooks/use-redeem-with-toast";
import { FindOrderLink } from "../../parts/find-order-link";
import { LegalLinks } from "../../parts/legal-links";
import { UseKeyButton } from "../../parts/use-key-button";
import { isWholeKey } from "../../parts/payment/facts";
import type { Outcome } from "../../parts/payment/outcome";
import { PaymentResult, VerifyingPayment } from "../../parts/payment/payment-result";
import { Button } from "../../ui/button";

/** The page to which the checkout sends the buyer back, paid or not. */
export function Result() {
  const taken = usePrivateParameters(["session_id"]);
  // the prerendered page doesn't know the payment
  const hydrated = useHydrated();
  const session_id = taken.session_id ?? (hydrated ? lastCheckout.recall() : null);
  return (
    <div className="relative isolate flex min-h-dvh flex-col px-4 sm:px-10">
      <div className="absolute inset-x-0 top-0 -z-10 h-96 bg-[radial-gradient(50rem_22rem_at_50%_-6rem,--alpha(var(--primary)/22%),transparent)]" />
      <main className="mx-auto flex w-full max-w-2xl flex-1 flex-col justify-center pt-24 pb-8">
        {hydrated ? (
          <PaymentResult
            reference={session_id ? { session_id } : null}
            renderActions={(outcome, payment) => <Actions outcome={outcome} payment={payment} />}
          />
        ) : (
          <VerifyingPayment />
        )}
        <div className="mt-4">
          <FindOrderLink />
        </div>
      </main>
      <footer className="pb-4">
        <LegalLinks />
      </footer>
    </div>
  );
}

type ActionsProps = { outcome: Outcome; payment: PurchaseResult | undefined };

/** Signed-in buyers who bought for themselves go to their account or redeem the key; everybody else registers. */
function Actions({ outcome, payment }: ActionsProps) {
  const session = useSession();
  const redeem = useRedeemWithToast();
  const key = useUnusedKey(payment, session.state === "signed-in");
  const verified = outcome === "verified";
  const signedIn = session.state === "signed-in";
  const isAdded = signedIn && payment?.for_account === "added";
  const usable = verified && signedIn && isWholeKey(key) && !isAdded && payment?.for_account !== "redundant";
  useFreshAccount(isAdded);
  return (
    <>
      {usable && <UseKeyButton redeem={redeem} licenceKey={key} />}
      <Button asChild variant={verified ? "outline" : "default"} size="lg">
        <Link to="/">Go Home</Link>
      </Button>
      {verified && signedIn && !usable && (
        <Button asChild size="lg">
          <Link to="/dashboard/license">Your licenses</Link>
        </Button>
      )}
      {verified && !signedIn && !payment?.gift && session.state !== "loading" && (
        <Button asChild size="lg">
          <Link to={registerPage(payment)}>Register</Link>
        </Button>
      )}
      {usable && (
        <p className="basis-full text-center text-sm text-muted-foreground">
          Signed in as {session.user.username}.
        </p>
      )}
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

/** The first complete key that isn't on the account yet. */
function useUnusedKey(payment: PurchaseResult | undefined, signedIn: boolean) {
  const several = (payment?.license_keys?.length ?? 0) > 1;
  const { data: licences } = useInfiniteQuery({ ...licencesQuery, enabled: signedIn && several });
  if (!several) return payment?.license_key;
  return payment?.license_keys.find(
    (one) => isWholeKey(one) && !licences?.some((licence) => licence.key === one),
  );
}

/** The registration page reads these and clears the URL at once. A masked key comes with a masked email. */
function registerPage(payment: PurchaseResult | undefined) {
  if (!isWholeKey(payment?.license_key)) return "/register";
  const query = new URLSearchParams({ license_key: payment.license_key });
  if (payment.email) query.set("email", payment.email);
  return `/register?${query}`;
}
