import { Link } from "react-router";
import type { PaymentStatus } from "@/contract/payments";
import { useTakenFromAddress } from "../../parts/address";
import { Logo } from "../../parts/logo";
import { isWholeKey } from "../../parts/payment/facts";
import { PaymentResult } from "../../parts/payment/payment-result";
import { Button } from "../../ui/button";

/** Where the checkout sends its buyer back to, paid or not. */
export function Result() {
  const { session_id } = useTakenFromAddress(["session_id"]);
  return (
    <div className="relative isolate flex min-h-dvh flex-col px-4 py-4 sm:px-10">
      <div className="absolute inset-x-0 top-0 -z-10 h-96 bg-[radial-gradient(50rem_22rem_at_50%_-6rem,#7f74e238,transparent)]" />
      <header>
        <Logo />
      </header>
      <main className="mx-auto flex w-full max-w-2xl flex-1 flex-col justify-center py-8">
        <PaymentResult
          reference={session_id ? { session_id } : null}
          renderActions={(outcome, payment) => (
            <>
              <Button asChild variant={outcome === "verified" ? "outline" : "default"} size="lg">
                <Link to="/">Go Home</Link>
              </Button>
              {outcome === "verified" && (
                <Button asChild size="lg">
                  <Link to={registerAddress(payment)}>Register</Link>
                </Button>
              )}
            </>
          )}
        />
      </main>
    </div>
  );
}

/** The register screen takes what it can use and clears its address at once. */
function registerAddress(payment: PaymentStatus | undefined) {
  const query = new URLSearchParams();
  if (isWholeKey(payment?.license_key)) query.set("license_key", payment.license_key);
  if (payment?.email) query.set("email", payment.email);
  return query.size > 0 ? `/register?${query}` : "/register";
}
