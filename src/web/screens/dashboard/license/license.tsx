import { PageHeading } from "../../../parts/page-heading";
import { LicenceHistories } from "./licence-histories";
import { Licences } from "./licences";

/** The account's licences: what there is, what to buy, a box to redeem another key, and what happened to each. */
export function License() {
  return (
    <>
      <PageHeading title="License">Redeem a license key and see the licenses on your account.</PageHeading>
      <Licences />
      <LicenceHistories />
    </>
  );
}
