import { useEffect, useSyncExternalStore } from "react";
import { useLocation, useNavigate } from "react-router";
import { stored } from "../../page/stored";

const { recall, remember, forget } = stored("promotion-code");
const listeners = new Set<() => void>();
const notifyListeners = () => {
  for (const notify of listeners) notify();
};

/** The promotion code that was applied in this tab, or with which its page was opened; kept across links within the site. */
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

/** Moves the code out of the URL (`?code=`), so that a reload does not restore a refused one; returns the one in use. */
export function usePromotionCode(): string | null {
  const { search, hash, state } = useLocation();
  const navigate = useNavigate();
  const query = new URLSearchParams(search);
  const named = query.get("code")?.trim();
  query.delete("code");
  const rest = query.toString();
  useEffect(() => {
    if (!named) return;
    promotionCode.remember(named);
    void navigate({ search: rest, hash }, { replace: true, state, preventScrollReset: true });
  }, [named, rest, hash, state, navigate]);
  return useSyncExternalStore(subscribe, recall, () => null);
}

function subscribe(notify: () => void) {
  listeners.add(notify);
  return () => void listeners.delete(notify);
}
