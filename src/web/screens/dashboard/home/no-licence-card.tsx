import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { Link } from "react-router";
import { offersQuery } from "../../../api/offers";
import { TitledCard } from "../../../parts/titled-card";
import { Button } from "../../../ui/button";

/** Links to the offers for accounts without an active licence, in a shop with several. */
export function NoLicenceCard() {
  const { data: offers = [] } = useQuery(offersQuery);
  if (offers.length < 2) return null;
  return (
    <TitledCard
      label="No license"
      title="You have no active license"
      description="Buy or redeem one to download the application."
      className="sm:flex-row sm:items-center sm:justify-between"
    >
      <Button asChild>
        <Link to="/dashboard/license">
          <KeyRound aria-hidden="true" />
          Get a license
        </Link>
      </Button>
    </TitledCard>
  );
}
