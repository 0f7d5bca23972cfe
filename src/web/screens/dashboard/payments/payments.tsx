import { PageHeading } from "../../../parts/page-heading";
import { ExportButton } from "./export-button";
import { PaymentList } from "./payment-list";

/** Everything the account has paid. */
export function Payments() {
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <PageHeading title="Payments">Everything you paid here, newest first.</PageHeading>
        <ExportButton />
      </div>
      <PaymentList />
    </>
  );
}
