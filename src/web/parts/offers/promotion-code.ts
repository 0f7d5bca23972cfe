import { useEffect, useSyncExternalStore } from "react";
import { useLocation } from "react-router";
import { stored } from "../../stored";

const { recall, remember, forget } = stored("promotion-code");
const listeners = new Set<() => void>();
const tellListeners = () => {
  for (const tell of listeners) tell();
};

/** The promotion code that brought this tab's visitor; it outlasts links within the site. */
export const promotionCode = {
  recall,
  remember: (code: string) => {
    remember(code);
    tellListeners();
  },
  forget: () => {
    forget();
    tellListeners();
  },
};

/** Takes the code from `?code=` and returns the one in force. */
export function usePromotionCode(): string | null {
  const named = new URLSearchParams(useLocation().search).get("code")?.trim();
  useEffect(() => {
    if (named) promotionCode.remember(named);
  }, [named]);
  return useSyncExternalStore(subscribe, recall, () => null);
}

function subscribe(tell: () => void) {
  listeners.add(tell);
  return () => void listeners.delete(tell);
}
