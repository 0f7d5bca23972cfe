import { Link } from "react-router";
import type { PaymentStatus } from "@/contract/payments";
import { useSession } from "../../api/session";
import { useTakenFromAddress } from "../../parts/address";
import { lastCheckout } from "../../parts/last-checkout";
import { isWholeKey } from "../../parts/payment/facts";
import { PaymentResult } from "../../parts/payment/payment-result";
import { Button } from "../../ui/button";

/** Where the checkout sends its buyer back to, paid or not. */
export function Result() {
  const taken = useTakenFromAddress(["session_id"]);
  const session_id = taken.session_id ?? lastCheckout.recall();
  return (
    <div className="relative isolate flex min-h-dvh flex-col px-4 sm:px-10">
      <div className="absolute inset-x-0 top-0 -z-10 h-96 bg-[radial-gradient(50rem_22rem_at_50%_-6rem,#7f74e238,transparent)]" />
      <main className="mx-auto flex w-full max-w-2xl flex-1 flex-col justify-center pt-24 pb-8">
        <PaymentResult
          reference={session_id ? { session_id } : null}
          renderActions={(outcome, payment) => (
            <>
              <Button asChild variant={outcome === "verified" ? "outline" : "default"} size="lg">
                <Link to="/">Go Home</Link>
              </Button>
              {outcome === "verified" && (
                <Button asChild size="lg">
                  <Link to={addressWith("/register", payment)}>Register</Link>
                </Button>
              )}
              {outcome === "verified" && <RedeemHere payment={payment} />}
            </>
          )}
        />
      </main>
    </div>
  );
}

/** Whoever is signed in needs no second account for the key. */
function RedeemHere({ payment }: { payment: PaymentStatus | undefined }) {
  const session = useSession();
  if (session.state !== "signed-in" || !isWholeKey(payment?.license_key)) return null;
  return (
    <p className="basis-full text-center text-sm text-muted-foreground">
      Signed in as {session.user.username}.{" "}
      <Link
        to={addressWith("/dashboard/license", payment)}
        className="text-link underline decoration-link/50 underline-offset-4 hover:decoration-link"
      >
        Redeem the key on this account
      </Link>
    </p>
  );
}

/** The screens behind these addresses take what they can use and clear the address at once. */
function addressWith(path: string, payment: PaymentStatus | undefined) {
  const query = new URLSearchParams();
  if (isWholeKey(payment?.license_key)) query.set("license_key", payment.license_key);
  if (payment?.email) query.set("email", payment.email);
  return query.size > 0 ? `${path}?${query}` : path;
}
