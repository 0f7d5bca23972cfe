import { termText } from "@/contract/wire/offer-term";
import type { LicenceRow, SubscriptionRow } from "@/contract/wire/desk/rows";
import { money } from "@/contract/vocabulary/money";

/** `USD 3.00 a month` */
export const priceOf = ({ amount, currency, interval }: SubscriptionRow): string =>
  `${money(amount, currency)} a ${interval}`;

/** The account's name, or of a guest the buyer's address. */
export const subscriberOf = ({ customer, email }: SubscriptionRow): string =>
  customer?.username ?? email ?? "No account";

/** How long a licence runs. Without days of its own, only a subscription's ends. */
export const durationOf = ({ days, expires_at }: Pick<LicenceRow, "days" | "expires_at">): string =>
  days === null && expires_at !== null ? "While it is paid" : termText({ days });
