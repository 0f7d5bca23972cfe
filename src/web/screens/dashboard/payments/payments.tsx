import { PageHeading } from "../../../parts/page-heading";
import { ExportButton } from "./export-button";
import { PaymentList } from "./payment-list";

/** The account's payments. */
export function Payments() {
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <PageHeading title="Payments">All of your payments, newest first.</PageHeading>
        <ExportButton />
      </div>
      <PaymentList />
    </>
  );
}
