import { type Block, link } from "../mail/blocks";

/** The last block of emails that are not about an order. A buyer has no account. */
export const unsubscribeLink = (url: string, { isBuyer = false } = {}): Block =>
  link(
    "Stop these letters",
    url,
    `You get this letter because you ${isBuyer ? "bought from us" : "have an account with us"}.`,
  );
