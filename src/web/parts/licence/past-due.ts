import type { Me } from "@/contract/wire/accounts";
import { formatDay } from "../format-time";

export type PastDue = NonNullable<Me["past_due"]>;

/** What a failed payment means, above every page and in the account's own card. */
export function pastDueSentence({ until }: PastDue, now: Date): string {
  const end = until === null ? null : new Date(until);
  if (end && end <= now)
    return "Your last payment failed, and your license has ended. Update your card to get it back.";
  return `Your last payment failed. Update your card ${end ? `by ${formatDay(end)} ` : ""}to keep your license.`;
}
