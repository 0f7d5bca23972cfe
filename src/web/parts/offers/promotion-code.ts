import { useEffect, useSyncExternalStore } from "react";
import { useLocation, useNavigate } from "react-router";
import { stored } from "../../page/stored";

const { recall, remember, forget } = stored("promotion-code");
const listeners = new Set<() => void>();
const notifyListeners = () => {
  for (const notify of listeners) notify();
};

/** A code that the shop refused, and why. */
type Refusal = { code: string; sentence: string };

/** What is in the open field and not applied yet. */
let typed = "";
let refusal: Refusal | null = null;

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
  /**
   * The code that an order is made with: one that was typed counts, applied or not; `inField`: also one that was refused
   * and is still in its field, so that the next order isn't made without it.
   */
  take: (inField: boolean): string | null => {
    const text = typed || (inField && refusal?.code);
    if (text) promotionCode.remember(text);
    return text || recall();
  },
  /** Leaves alone what was typed since the order was sent. */
  refuse: (refused: Refusal) => {
    if (!typed) refusal = refused;
    promotionCode.forget();
  },
};

function type(text: string) {
  typed = text.trim();
  refusal = null;
  notifyListeners();
}

/** The refused code, until something is typed. */
export const useRefusedCode = (): Refusal | null =>
  useSyncExternalStore(
    subscribe,
    () => refusal,
    () => null,
  );

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
  // its field is gone with the page
  useEffect(() => () => type(""), []);
  return useSyncExternalStore(subscribe, recall, () => null);
}

function subscribe(notify: () => void) {
  listeners.add(notify);
  return () => void listeners.delete(notify);
}
