/** Why an email that is not about an order came; its reader can unsubscribe. A buyer has no account. */
export const whyMailing = ({ isBuyer = false } = {}): string =>
  `You're receiving this because you ${isBuyer ? "bought from us" : "have an account with us"}.`;
