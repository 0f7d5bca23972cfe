import { useEffect } from "react";
import { useSearchParams } from "react-router";
import { changedSubscription } from "@/contract/vocabulary/page-marks";
import { useCheckSubscription } from "../api/subscriptions";

/** On return from Stripe's page, asks the shop to check the subscription named in the address, and removes it from the address. */
export function useBackFromStripe(isSignedIn: boolean): void {
  const [params, setParams] = useSearchParams();
  const { mutate } = useCheckSubscription();
  const id = params.get(changedSubscription);
  useEffect(() => {
    if (!isSignedIn || id === null) return;
    setParams(
      (before) => {
        before.delete(changedSubscription);
        return before;
      },
      { replace: true },
    );
    mutate(id);
  }, [isSignedIn, id, setParams, mutate]);
}
