import { useInfiniteQuery, usePrefetchInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { Offer } from "@/contract/wire/offers";
import { isFirstLoad } from "../../../api/first-load";
import { licenceHistoriesQuery, licencesQuery, unusedKeysQuery } from "../../../api/licences";
import { offersQuery } from "../../../api/offers";
import { subscriptionsQuery } from "../../../api/subscriptions";
import { type Inactivity, inactivityOf, isDisputed } from "../../../parts/licence/inactivity";
import { InactivityCard } from "../../../parts/licence/inactivity-card";
import { UnusedKeyCard } from "../../../parts/licence/unused-key-card";
import { Skeleton } from "../../../ui/skeleton";
import { BuyCard } from "./buy-card";
import { LicenceHistories } from "./licence-histories";
import { LicenceList, LicenceListSkeleton } from "./licence-list";
import { holdsLifetime } from "./runs";
import { Subscriptions } from "./subscriptions";
import { RedeemBox } from "./redeem-box";

/** The account's licences, what is wrong with them, another one to buy, a box to redeem a key, and their histories. */
export function Licences() {
  const licences = useInfiniteQuery(licencesQuery);
  const unused = useQuery(unusedKeysQuery);
  const offers = useQuery(offersQuery);
  const subscribes =
    (offers.data ?? []).some(({ recurring }) => recurring !== null) ||
    (licences.data ?? []).some(({ subscription }) => subscription !== null);
  const subscriptions = useInfiniteQuery({ ...subscriptionsQuery, enabled: subscribes });
  usePrefetchInfiniteQuery(licenceHistoriesQuery);
  // the cards come together, because one that came later would push the others down
  if ([licences, unused, offers, ...(subscribes ? [subscriptions] : [])].some(isFirstLoad))
    return (
      <>
        <LicenceListSkeleton />
        <Skeleton className="h-64 rounded-xl" />
      </>
    );
  const hasUnusedKey = (unused.data ?? []).length > 0;
  const inactivity = inactivityOf(licences.data ?? [], hasUnusedKey);
  // customers with a disputed payment get what they paid for back if the shop wins the dispute
  const unended = (subscriptions.data ?? []).filter(({ status }) => status !== "ended");
  const wanted = (offers.data ?? []).filter(({ recurring }) => recurring === null || unended.length === 0);
  const selling = licences.data && !isDisputed(licences.data) ? wanted : [];
  const primary = primaryOf({ hasUnusedKey, inactivity, selling });
  return (
    <>
      <UnusedKeyCard />
      {inactivity && <InactivityCard inactivity={inactivity} primary={primary === "status"} />}
      <LicenceList />
      {subscribes && (
        <Subscriptions offers={offers.data ?? []} forLife={holdsLifetime(licences.data ?? [])} />
      )}
      {selling.length > 0 && (
        <BuyCard
          offers={selling}
          licences={licences.data ?? []}
          subscribes={unended.some(({ status }) => status !== "paused")}
          primary={primary === "buy"}
        />
      )}
      <RedeemBox primary={primary === "redeem"} />
      <LicenceHistories />
    </>
  );
}

type LicencesContext = { hasUnusedKey: boolean; inactivity: Inactivity | null; selling: readonly Offer[] };

/** Which card has the page's one prominent button. */
function primaryOf({
  hasUnusedKey,
  inactivity,
  selling,
}: LicencesContext): "unused" | "status" | "buy" | "redeem" {
  if (hasUnusedKey) return "unused";
  const [first] = inactivity?.actions ?? [];
  if (first && first !== "buy") return "status";
  return selling.some(({ adds }) => adds !== false) ? "buy" : "redeem";
}
