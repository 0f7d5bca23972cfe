import type { Licence } from "@/contract/wire/licences";
import { formatDay } from "../format-time";
import { withRole } from "./with-role";

export type Inactive = Exclude<Licence["status"], "active">;

/** A customer with a disputed payment must not be asked to pay again. */
export const isDisputed = (licences: readonly Licence[]): boolean =>
  licences.some(({ status, disputed }) => status === "disputed" || disputed);

export const disputeSentence = (paid: string | null) => `Your ${paid ? `${paid} ` : ""}payment is disputed.`;

/** `actions`: what its owner can do, the likeliest first; `renew` is whatever is sold. */
type Words = { sentence: string; actions: ("payment" | "support" | "renew")[] };

/** Why a licence isn't active. `paid`: for the disputed one, such as `USD 5.00`, or null. */
export function inactiveWords(
  { status, expiry_date, level }: Licence & { status: Inactive },
  paid: string | null,
): Words {
  const expired =
    expiry_date === null
      ? "Your license expired."
      : `Your license expired on ${formatDay(new Date(expiry_date))}.`;
  const words: Record<Inactive, Words> = {
    disputed: {
      sentence: `${disputeSentence(paid)} Your license is paused until the bank decides.`,
      actions: ["support", "payment"],
    },
    suspended: {
      sentence: `Support has suspended your license, so ${withRole("downloads", level.name)} are paused too.`,
      actions: ["support"],
    },
    refunded: {
      sentence: "Your payment was refunded in full, which ended your license.",
      actions: ["renew", "payment"],
    },
    revoked: {
      sentence: "Your license was revoked for good, by support or because the bank reversed its payment.",
      actions: ["support", "payment"],
    },
    expired: {
      sentence: expired,
      actions: ["renew"],
    },
    other_mode: {
      sentence: "This license was bought in the shop's other mode, test or live, so it doesn't work here.",
      actions: ["support", "payment"],
    },
  };
  return words[status];
}
