import { KeyRound } from "lucide-react";
import { Link } from "react-router";
import { Button } from "../../ui/button";
import { TitledCard } from "../titled-card";

/** Links to the offers, for accounts that never had a licence. */
export function NoLicenceCard() {
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
