import { useQuery } from "@tanstack/react-query";
import { ArrowRight, KeyRound } from "lucide-react";
import { Link } from "react-router";
import { texts } from "@/contract/texts";
import { licencesQuery } from "../../../api/licences";
import { Empty } from "../../../parts/empty";
import { Problem } from "../../../parts/problem";
import { useListProblem } from "../../../hooks/use-list-problem";
import { Button } from "../../../ui/button";
import { Card, CardTitle } from "../../../ui/card";
import { LicenceTable } from "./licence-table";
import { RowsSkeleton } from "../../../parts/rows-skeleton";

/** The licences, with their loading, empty and error states. */
export function LicenceList() {
  const { data, error, refetch } = useQuery(licencesQuery);
  const problem = useListProblem(error, texts.licencesFailed);
  return (
    <Card aria-label="Licenses">
      <div className="flex items-center justify-between gap-4">
        <CardTitle>Your licenses</CardTitle>
        <Button asChild variant="link" className="-my-2 px-0">
          <Link to="/dashboard/payments">
            Payments
            <ArrowRight aria-hidden="true" />
          </Link>
        </Button>
      </div>
      {data && data.length > 0 && <LicenceTable licences={data} />}
      {data?.length === 0 && <Empty icon={KeyRound}>{texts.noLicences}</Empty>}
      {!data && problem && <Problem problem={problem} retry={() => void refetch()} />}
      {!data && !problem && <RowsSkeleton rows={2} />}
    </Card>
  );
}
