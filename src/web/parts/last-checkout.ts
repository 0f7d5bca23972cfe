const key = "last-checkout";

/**
 * The checkout session that this tab opened last. Stripe puts the id into the address it sends a buyer
 * back to after paying, but not into the one for leaving.
 */
export const lastCheckout = {
  remember(sessionId: string) {
    try {
      sessionStorage.setItem(key, sessionId);
    } catch {
      // a browser that keeps nothing: the page then can't say what became of it
    }
  },
  recall(): string | null {
    try {
      return sessionStorage.getItem(key);
    } catch {
      return null;
    }
  },
};
