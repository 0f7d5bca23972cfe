import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { licencesQuery, unusedKeysQuery } from "../../api/licences";
import { offersQuery } from "../../api/offers";
import { Skeleton } from "../../ui/skeleton";
import { InactivityCard } from "./inactivity-card";
import { inactivityOf } from "./inactivity";
import { NoLicenceCard } from "./no-licence-card";
import { UnusedKeyCard } from "./unused-key-card";

/** Notices for the owner: an unused key, and why nothing is active. */
export function LicenceNotices({ active, on }: { active: boolean; on: "home" | "license" }) {
  return (
    <>
      <UnusedKeyCard />
      {!active && <NothingActive on={on} />}
    </>
  );
}

function NothingActive({ on }: { on: "home" | "license" }) {
  const { data: licences, isPending } = useInfiniteQuery(licencesQuery);
  const { data: unused = [] } = useQuery(unusedKeysQuery);
  const { data: offers = [] } = useQuery(offersQuery);
  if (isPending) return <Skeleton className="h-56 rounded-xl sm:h-44" />;
  const several = offers.length > 1;
  if (licences?.length === 0) return on === "home" && several ? <NoLicenceCard /> : null;
  const inactivity = inactivityOf(licences ?? [], unused.length > 0);
  if (!inactivity) return null;
  // with several offers, the License page sells them itself, below
  const sellsHere = several && on === "license";
  return (
    <InactivityCard
      inactivity={inactivity}
      buyAt={sellsHere ? null : several ? "/dashboard/license" : "/#get"}
    />
  );
}
