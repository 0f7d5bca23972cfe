import type { SubscriptionRow } from "@/contract/wire/desk/rows";
import { money } from "@/contract/vocabulary/money";

/** `USD 3.00 a month` */
export const priceOf = ({ amount, currency, interval }: SubscriptionRow): string =>
  `${money(amount, currency)} a ${interval}`;

/** The account's name, or of a guest the buyer's address. */
export const subscriberOf = ({ customer, email }: SubscriptionRow): string =>
  customer?.username ?? email ?? "No account";
