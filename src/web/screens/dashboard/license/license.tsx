import { PageHeading } from "../../../parts/page-heading";
import { BuyCard } from "./buy-card";
import { LicenceHistories } from "./licence-histories";
import { LicenceList } from "./licence-list";
import { RedeemBox } from "./redeem-box";

/** The account's licences, and a box to redeem another key. */
export function License() {
  return (
    <>
      <PageHeading title="License">Redeem a license key and see the licenses on your account.</PageHeading>
      <RedeemBox />
      <LicenceList />
      <BuyCard />
      <LicenceHistories />
    </>
  );
}
