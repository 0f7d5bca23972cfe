import { LoaderCircle } from "lucide-react";
import { useEffect, useState } from "react";
import { useHydrated } from "../../hooks/use-hydrated";
import { notify } from "../../parts/notices";
import { openCheckout } from "./purchase";

/** Opens the payment provider's page; shows progress meanwhile, and the reason if it fails. */
export function PurchaseButton(props: { label: string; leave?: (url: string) => void }) {
  const { label, leave = (url: string) => location.assign(url) } = props;
  // Before hydration a press must not look as if it had worked.
  const alive = useHydrated();
  const [opening, setOpening] = useState(false);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    // The browser's Back restores this page as it was left: pending.
    const onShow = (event: PageTransitionEvent) => event.persisted && setOpening(false);
    addEventListener("pageshow", onShow);
    return () => removeEventListener("pageshow", onShow);
  }, []);
  async function purchase() {
    setOpening(true);
    setProblem(undefined);
    const opened = await openCheckout();
    if ("url" in opened) return leave(opened.url);
    setProblem(opened.problem);
    notify("error", opened.problem);
    setOpening(false);
  }
  return (
    <div className="flex flex-col gap-3">
      <button
        type="button"
        disabled={!alive}
        aria-busy={opening}
        aria-describedby={problem ? "purchase-problem" : undefined}
        onClick={() => opening || void purchase()}
        className="button-light h-12 w-full px-6"
      >
        {opening && <LoaderCircle aria-hidden="true" className="animate-spin" />}
        {opening ? "Opening checkout…" : label}
      </button>
      {problem && (
        <p id="purchase-problem" className="text-sm text-destructive-text">
          {problem}
        </p>
      )}
      <p className="hidden text-sm text-muted-foreground noscript:block">Purchasing needs JavaScript.</p>
    </div>
  );
}
