import type { Licence } from "@/contract/wire/licences";
import { formatDay } from "../format-time";

export type Action = "payment" | "support" | "buy";

/** Why an account has no active license, what happens next, and what its owner can do. */
export type Inactivity = {
  status: Exclude<Licence["status"], "active">;
  title: string;
  why: string;
  next: string;
  actions: Action[];
  /** As in the list of payments. */
  paymentId: string | null;
};

/** A customer with a disputed payment must not be asked to pay again. */
export const isDisputed = (licences: readonly Licence[]): boolean =>
  licences.some(({ status, disputed }) => status === "disputed" || disputed);

/**
 * Why none of these licenses, newest redemption first, is active; null if one is, or there are none. Explains a
 * license that may come back if there is one, otherwise the newest. Suggests no purchase to customers with an unused
 * key.
 */
export function inactivityOf(licences: readonly Licence[], hasUnusedKey: boolean): Inactivity | null {
  if (licences.some(({ status }) => status === "active")) return null;
  const deciding = mayComeBack.map((status) => licences.find((one) => one.status === status)).find(Boolean);
  const licence = deciding ?? licences[0];
  if (!licence || licence.status === "active") return null;
  const { status, payment_id: paymentId } = licence;
  const { actions, ...words } = { ...wordsOf[status], ...(status === "expired" ? expiredOn(licence) : {}) };
  const buys = actions.includes("buy");
  return {
    status,
    paymentId,
    ...words,
    ...(buys && hasUnusedKey ? { next: "Your account stays as it is. Add your key to go on." } : {}),
    actions: actions.filter((one) =>
      one === "buy" ? !hasUnusedKey : one !== "payment" || paymentId !== null,
    ),
  };
}

const mayComeBack: Licence["status"][] = ["disputed", "suspended"];

type Words = Pick<Inactivity, "title" | "why" | "next" | "actions">;

const wordsOf: Record<Inactivity["status"], Words> = {
  disputed: {
    title: "Your license is on hold because its payment is disputed",
    why: "The bank reported a dispute. Until it is decided, the license can't be used, and with it downloads and the premium role.",
    next: "If it is decided in our favor or withdrawn, everything comes back by itself; if not, the license ends. If you did not mean to dispute the payment, tell your bank that you want to withdraw the dispute, and write to us.",
    actions: ["support", "payment"],
  },
  suspended: {
    title: "Your license is suspended",
    why: "Our support team has suspended it, and with it downloads and the premium role.",
    next: "It works again as soon as they lift the suspension. Ask them if you don't know the reason.",
    actions: ["support"],
  },
  refunded: {
    title: "Your license has ended because its payment was refunded",
    why: "The payment was refunded in full, and a full refund ends the license. The money goes back to the payment method that was used, which can take up to ten days.",
    next: "Your account stays as it is. If you want to go on, buy another license.",
    actions: ["buy", "payment"],
  },
  revoked: {
    title: "Your license was revoked",
    why: "It was ended for good: by our support team, or because the bank decided a dispute about its payment in the buyer's favor.",
    next: "A revoked license doesn't come back by itself. If you think that this is a mistake, write to us.",
    actions: ["support", "payment"],
  },
  expired: {
    title: "Your license has expired",
    why: "Its time is over, and with it downloads and the premium role.",
    next: "Your account stays as it is. Renew the license to go on.",
    actions: ["buy"],
  },
  other_mode: {
    title: "Your license doesn't count here",
    why: "It was bought while the shop took the other kind of payments, test or real ones.",
    next: "Nothing changes by itself. If you have really paid for it, write to us.",
    actions: ["support", "payment"],
  },
};

const expiredOn = ({ expiry_date }: Licence): Partial<Words> =>
  expiry_date === null
    ? {}
    : {
        why: `Its time was over on ${formatDay(new Date(expiry_date))}, and with it downloads and the premium role.`,
      };
