import { useQuery } from "@tanstack/react-query";
import { FileDown } from "lucide-react";
import { paymentsQuery } from "../../../api/payments";
import { PageHeading } from "../../../parts/page-heading";
import { saveFile } from "../../../parts/save-file";
import { Button } from "../../../ui/button";
import { csvOf } from "./csv";
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

/** Downloads all of the account's payments as CSV; disabled if there are none. */
function ExportButton() {
  const { data } = useQuery(paymentsQuery);
  return (
    <Button
      variant="outline"
      disabled={!data?.length}
      onClick={() => data && saveFile("payments.csv", "text/csv;charset=utf-8", csvOf(data))}
    >
      <FileDown aria-hidden="true" />
      Export CSV
    </Button>
  );
}
