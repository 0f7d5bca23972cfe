import { useQuery } from "@tanstack/react-query";
import { FileDown } from "lucide-react";
import { paymentsQuery } from "../../../api/payments";
import { saveFile } from "../../../parts/save-file";
import { Button } from "../../../ui/button";
import { csvOf } from "./csv";

/** Saves all of the account's payments as a table; dead while there are none to save. */
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
