import { lastCheckout } from "../../api/payments";
import { useHydrated } from "../../hooks/use-hydrated";
import { usePrivateParameters } from "../../hooks/use-private-parameters";
import { LegalLinks } from "../../parts/legal-links";
import { PaymentResult } from "../../parts/payment/payment-result";
import { Actions } from "./actions";

/** The page to which the checkout sends the buyer back, paid or not. */
export function Result() {
  const taken = usePrivateParameters(["session_id"]);
  // the prerendered page doesn't know the payment
  const hydrated = useHydrated();
  const session_id = taken.session_id ?? (hydrated ? lastCheckout.recall() : null);
  const reference = session_id ? { session_id } : null;
  return (
    <div className="relative isolate flex min-h-dvh flex-col px-4 sm:px-10">
      <div className="absolute inset-x-0 top-0 -z-10 h-96 bg-[radial-gradient(50rem_22rem_at_50%_-6rem,--alpha(var(--primary)/22%),transparent)]" />
      {/* As high as the window, so that the answer does not visibly move the footer. */}
      <main className="mx-auto flex min-h-dvh w-full max-w-2xl flex-col pt-20 pb-8 sm:pt-24">
        <PaymentResult
          reference={hydrated ? reference : undefined}
          renderActions={(seen, onRetry) => <Actions seen={seen} onRetry={onRetry} />}
        />
      </main>
      <footer className="pb-4">
        <LegalLinks />
      </footer>
    </div>
  );
}
