import { useEffect, useSyncExternalStore } from "react";
import { useLocation } from "react-router";
import { stored } from "../../stored";

const { recall, remember, forget } = stored("promotion-code");
const listeners = new Set<() => void>();
const notifyListeners = () => {
  for (const notify of listeners) notify();
};

/** What stands in the open field and is not applied yet. */
let typed = "";
let refused = false;

/** The promotion code from the URL that this tab opened, or typed; kept across links within the site. */
export const promotionCode = {
  recall,
  remember: (code: string) => {
    remember(code);
    type("");
  },
  forget: () => {
    forget();
    notifyListeners();
  },
  type,
  /** Counts a refused code that still stands in its field as typed, so that the next order isn't made without it. */
  keep: (text: string) => {
    typed = text.trim();
  },
  /** The code that an order is made with: one that was typed counts, applied or not. */
  take: (): string | null => {
    if (typed) promotionCode.remember(typed);
    return recall();
  },
  refuse: () => {
    refused = true;
    promotionCode.forget();
  },
};

function type(text: string) {
  typed = text.trim();
  refused = false;
  notifyListeners();
}

/** Whether the shop refused the code and nothing was typed since. */
export const useRefusedCode = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => refused,
    () => false,
  );

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
