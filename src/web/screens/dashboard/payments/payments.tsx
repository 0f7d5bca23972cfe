import { PageHeading } from "../../../parts/page-heading";
import { PaymentList } from "./payment-list";

/** Everything the account has paid. */
export function Payments() {
  return (
    <>
      <PageHeading title="Payments">Everything you paid here, newest first.</PageHeading>
      <PaymentList />
    </>
  );
}
