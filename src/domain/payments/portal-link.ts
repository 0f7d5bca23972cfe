import { type Block, link } from "../mail/blocks";

/** Receipts of subscriptions have it for buyers without an account; null if there is no such page. */
export const portalLink = (url: string | null): Block[] =>
  url === null
    ? []
    : [
        link(
          "Sign in at Stripe with this address",
          url,
          "To cancel or to change your card, no account is needed.",
        ),
      ];
