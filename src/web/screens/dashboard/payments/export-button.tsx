import { useQuery } from "@tanstack/react-query";
import { FileDown } from "lucide-react";
import { paymentsQuery } from "../../../api/payments";
import { saveFile } from "../../../parts/save-file";
import { Button } from "../../../ui/button";
import { csvOf } from "./csv";

/** Downloads all of the account's payments as CSV; disabled if there are none. */
export function ExportButton() {
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
