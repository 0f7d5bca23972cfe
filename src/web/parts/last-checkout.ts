const key = "last-checkout";

/**
 * The checkout session that this tab opened last. Stripe adds the id to the URL a buyer returns to after
 * paying, but not to the one for canceling.
 */
export const lastCheckout = {
  remember(sessionId: string) {
    try {
      sessionStorage.setItem(key, sessionId);
    } catch {
      // storage is disabled: the page then can't show the payment's status
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
