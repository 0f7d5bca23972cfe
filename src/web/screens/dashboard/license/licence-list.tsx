import { useInfiniteQuery } from "@tanstack/react-query";
import { ArrowRight, KeyRound } from "lucide-react";
import { Link } from "react-router";
import { texts } from "@/contract/vocabulary/texts";
import { licencesQuery } from "../../../api/licences";
import { Empty } from "../../../parts/empty";
import { Loaded } from "../../../parts/loaded";
import { useProblemToast } from "../../../parts/use-problem-toast";
import { Button } from "../../../ui/button";
import { Card, CardTitle } from "../../../ui/card";
import { LicenceTable } from "./licence-table";
import { RowsSkeleton } from "../../../parts/rows-skeleton";
import { ShowMore } from "../../../parts/show-more";

/** The licences, with their loading, empty and error states. */
export function LicenceList() {
  const licences = useInfiniteQuery(licencesQuery);
  useProblemToast(licences.error, texts.licencesFailed);
  return (
    <Card aria-label="Licenses">
      <Heading />
      <Loaded
        query={licences}
        skeleton={<RowsSkeleton rows={2} />}
        empty={<Empty icon={KeyRound}>{texts.noLicences}</Empty>}
      >
        {(all) => <LicenceTable licences={all} />}
      </Loaded>
      <ShowMore list={licences} />
    </Card>
  );
}

export function LicenceListSkeleton() {
  return (
    <Card aria-label="Licenses">
      <Heading />
      <RowsSkeleton rows={2} />
    </Card>
  );
}

function Heading() {
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <CardTitle>Your licenses</CardTitle>
      <Button asChild variant="link" className="-my-2 px-0">
        <Link to="/dashboard/payments">
          Payments
          <ArrowRight aria-hidden="true" />
        </Link>
      </Button>
    </div>
  );
}
