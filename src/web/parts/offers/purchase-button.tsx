import { LoaderCircle } from "lucide-react";
import type { CheckoutBody } from "@/contract/wire/payments";
import { useHydrated } from "../../hooks/use-hydrated";
import { useCheckout } from "./use-checkout";

/** Opens the payment provider's page; shows progress meanwhile, and the reason if it fails. */
export function PurchaseButton({ label, order }: { label: string; order: CheckoutBody }) {
  // before hydration a press would do nothing
  const hydrated = useHydrated();
  const { open, opening, problem: refused } = useCheckout({ codeInField: true });
  // a wrong code's message is at its field
  const problem = refused?.field === "code" ? undefined : refused;
  return (
    <div className="flex flex-col gap-3">
      <button
        type="button"
        disabled={!hydrated}
        aria-busy={opening}
        aria-describedby={problem ? "purchase-problem" : undefined}
        onClick={() => void open(order)}
        className="button-light h-12 w-full px-6"
      >
        {opening && <LoaderCircle aria-hidden="true" className="animate-spin" />}
        <span>{opening ? "Opening checkout…" : label}</span>
      </button>
      {problem && (
        <p id="purchase-problem" className="text-sm text-destructive-text">
          {problem.problem}
        </p>
      )}
      <p className="hidden text-sm text-muted-foreground noscript:block">Purchasing needs JavaScript.</p>
    </div>
  );
}
