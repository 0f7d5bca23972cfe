import type { Licence } from "@/contract/wire/licences";
import {
  type AccountStatus,
  asOfNow,
  inactiveStatus,
  type KnownAccount,
  subscribedStatus,
} from "../../../parts/licence/account-status";
import type { Inactive } from "../../../parts/licence/inactive-words";

/** The account's other licences and subscriptions about which there is something to do or to know. */
export function otherPlans(all: KnownAccount, shown: AccountStatus): AccountStatus[] {
  const known = { ...all, licences: asOfNow(all) };
  const { licences, subscriptions } = known;
  const running = subscriptions.filter(({ id, status }) => status !== "ended" && id !== shown.subscription);
  const held = licences.filter(
    (one): one is Licence & { status: Inactive } =>
      one.key !== shown.licence?.key && (one.status === "disputed" || one.status === "suspended"),
  );
  return [
    ...running.map((one) =>
      subscribedStatus(one, licences.find(({ subscription }) => subscription === one.id) ?? null, known),
    ),
    ...held.map((one) => inactiveStatus(one, known)),
  ].map(({ primary, quiet, ...status }) => ({
    ...status,
    primary: null,
    // what is not of this plan alone stands in the account's own card
    quiet: [primary, ...quiet].filter((one) => one === "support" || one === "payment"),
    billing: primary === "resume" || primary === "card" ? [primary, ...status.billing] : status.billing,
  }));
}
