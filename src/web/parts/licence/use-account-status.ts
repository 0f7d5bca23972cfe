import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { Me } from "@/contract/wire/accounts";
import { isFirstLoad } from "../../api/first-load";
import { licencesQuery, unusedKeysQuery } from "../../api/licences";
import { offersQuery } from "../../api/offers";
import { paymentsQuery } from "../../api/payments";
import { fileSizesQuery } from "../../api/releases";
import { subscriptionsQuery } from "../../api/subscriptions";
import { useNow } from "../../hooks/use-now";
import { useNotedSteps } from "../first-steps";
import { reachOf } from "../own-system";
import { type AccountStatus, accountStatus, alsoNeeded, type KnownAccount } from "./account-status";

export type Standing = { status: AccountStatus; known: KnownAccount };

/**
 * Where the account stands; null if its licences can't be fetched.
 * @param plans whether everything on sale and every subscription is shown too
 */
export function useAccountStatus(
  user: Me,
  { plans = false } = {},
): { pending: boolean; standing: Standing | null } {
  const now = useNow();
  const level = user.level?.id ?? null;
  const downloaded = useNotedSteps(user.id).includes("download");
  const licences = useInfiniteQuery(licencesQuery);
  const unused = useQuery(unusedKeysQuery);
  const needed = alsoNeeded({ licences: licences.data ?? [], level, now });
  const asks = (what: keyof typeof needed) => licences.data !== undefined && needed[what];
  const payments = useInfiniteQuery({ ...paymentsQuery, enabled: asks("payments") });
  const subscriptions = useInfiniteQuery({
    ...subscriptionsQuery,
    enabled: plans || asks("subscriptions"),
  });
  const offers = useQuery({ ...offersQuery, enabled: plans || asks("offers") });
  // home's page asks for them in any case
  const sizes = useQuery({ ...fileSizesQuery, enabled: !plans || user.active_license });
  const pending =
    [
      licences,
      unused,
      ...(asks("payments") ? [payments] : []),
      ...(plans || asks("subscriptions") ? [subscriptions] : []),
      ...(user.active_license ? [sizes] : []),
    ].some(isFirstLoad) ||
    // elsewhere those that the page itself brought will do
    (plans ? isFirstLoad(offers) : asks("offers") && !offers.data && isFirstLoad(offers));
  if (pending || (!licences.data && !user.past_due)) return { pending, standing: null };
  const known: KnownAccount = {
    licences: licences.data ?? [],
    unused: unused.data ?? [],
    payments: payments.data ?? [],
    subscriptions: subscriptions.data ?? [],
    offers: offers.data ?? [],
    pastDue: user.past_due,
    level,
    installed: user.hwid_set,
    downloaded,
    reach: reachOf(user),
    now,
  };
  return { pending, standing: { status: accountStatus(known), known } };
}
