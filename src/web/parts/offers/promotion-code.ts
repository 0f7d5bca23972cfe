import { useEffect, useSyncExternalStore } from "react";
import { useLocation } from "react-router";
import { stored } from "../../stored";

const { recall, remember, forget } = stored("promotion-code");
const listeners = new Set<() => void>();
const notifyListeners = () => {
  for (const notify of listeners) notify();
};

/** The promotion code from the URL that this tab opened; kept across links within the site. */
export const promotionCode = {
  recall,
  remember: (code: string) => {
    remember(code);
    notifyListeners();
  },
  forget: () => {
    forget();
    notifyListeners();
  },
};

/** Stores the code from `?code=` and returns the one in use. */
export function usePromotionCode(): string | null {
  const named = new URLSearchParams(useLocation().search).get("code")?.trim();
  useEffect(() => {
    if (named) promotionCode.remember(named);
  }, [named]);
  return useSyncExternalStore(subscribe, recall, () => null);
}

function subscribe(notify: () => void) {
  listeners.add(notify);
  return () => void listeners.delete(notify);
}
