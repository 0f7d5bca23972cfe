import { useEffect, useSyncExternalStore } from "react";
import { useLocation } from "react-router";

const key = "promotion-code";
const listeners = new Set<() => void>();

/** The promotion code that brought this tab's visitor; it outlasts links within the site. */
export const promotionCode = {
  recall(): string | null {
    try {
      return sessionStorage.getItem(key);
    } catch {
      return null;
    }
  },
  remember(code: string) {
    change(() => sessionStorage.setItem(key, code));
  },
  forget() {
    change(() => sessionStorage.removeItem(key));
  },
};

/** Takes the code from `?code=`, and answers the one in force. */
export function usePromotionCode(): string | null {
  const named = new URLSearchParams(useLocation().search).get("code")?.trim();
  useEffect(() => {
    if (named) promotionCode.remember(named);
  }, [named]);
  return useSyncExternalStore(
    subscribe,
    () => promotionCode.recall(),
    () => null,
  );
}

function change(write: () => void) {
  try {
    write();
  } catch {
    // storage is disabled: the code can still be entered on the payment page
  }
  for (const tell of listeners) tell();
}

function subscribe(tell: () => void) {
  listeners.add(tell);
  return () => void listeners.delete(tell);
}
