import { useSession } from "../../../api/session";
import { LicenceNotices } from "../../../parts/licence/licence-notices";
import { PageHeading } from "../../../parts/page-heading";
import { BuyCard } from "./buy-card";
import { LicenceHistories } from "./licence-histories";
import { LicenceList } from "./licence-list";
import { RedeemBox } from "./redeem-box";

/** The account's licences, and a box to redeem another key. */
export function License() {
  const session = useSession();
  return (
    <>
      <PageHeading title="License">Redeem a license key and see the licenses on your account.</PageHeading>
      <LicenceNotices active={session.state === "signed-in" && session.user.active_license} on="license" />
      <RedeemBox />
      <LicenceList />
      <BuyCard />
      <LicenceHistories />
    </>
  );
}
