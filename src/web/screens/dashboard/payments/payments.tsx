import { useInfiniteQuery } from "@tanstack/react-query";
import { FileDown } from "lucide-react";
import type { Payment } from "@/contract/wire/payments";
import { paymentsQuery, useAllPayments } from "../../../api/payments";
import { toastFailure } from "../../../parts/account/toasts";
import { PageHeading } from "../../../parts/page-heading";
import { PatientButton } from "../../../parts/patient-button";
import { saveFile } from "../../../parts/save-file";
import { csvOf } from "./csv";
import { PaymentList } from "./payment-list";

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
  const { data, hasNextPage } = useInfiniteQuery(paymentsQuery);
  const all = useAllPayments();
  const exportAll = () => {
    if (data && !hasNextPage) save(data);
    else all.mutate(undefined, { onSuccess: save, onError: (problem) => toastFailure(problem) });
  };
  return (
    <PatientButton
      variant="outline"
      disabled={!data?.length}
      call={all}
      doing="Collecting…"
      onClick={exportAll}
    >
      <FileDown aria-hidden="true" />
      Export CSV
    </PatientButton>
  );
}

const save = (payments: readonly Payment[]) =>
  saveFile("payments.csv", "text/csv;charset=utf-8", csvOf(payments));
