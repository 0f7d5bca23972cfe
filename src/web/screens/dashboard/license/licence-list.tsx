import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { texts } from "@/contract/texts";
import { licencesQuery } from "../../../api/licences";
import { Empty } from "../../../parts/empty";
import { Problem } from "../../../parts/problem";
import { useListProblem } from "../../../parts/list-problem";
import { Card, CardHeader, CardTitle } from "../../../ui/card";
import { LicenceTable } from "./licence-table";
import { RowsSkeleton } from "../../../parts/rows-skeleton";

/** The licences in every state that their list can have. */
export function LicenceList() {
  const { data, error, refetch } = useQuery(licencesQuery);
  const problem = useListProblem(error, texts.licencesFailed);
  return (
    <Card aria-label="Licenses">
      <CardHeader>
        <CardTitle>Your licenses</CardTitle>
      </CardHeader>
      {data && data.length > 0 && <LicenceTable licences={data} />}
      {data?.length === 0 && <Empty icon={KeyRound}>{texts.noLicences}</Empty>}
      {!data && problem && <Problem problem={problem} retry={() => void refetch()} />}
      {!data && !problem && <RowsSkeleton rows={2} />}
    </Card>
  );
}
