import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { Link } from "react-router";
import { offersQuery } from "../../../api/offers";
import { Button } from "../../../ui/button";
import { Card, CardDescription, CardHeader, CardTitle } from "../../../ui/card";

/** Leads whoever has no active licence to the offers, in a shop with several. */
export function NoLicenceCard() {
  const { data: offers = [] } = useQuery(offersQuery);
  if (offers.length < 2) return null;
  return (
    <Card aria-label="No license" className="sm:flex-row sm:items-center sm:justify-between">
      <CardHeader>
        <CardTitle>You have no active license</CardTitle>
        <CardDescription>Buy or redeem one to download the application.</CardDescription>
      </CardHeader>
      <Button asChild>
        <Link to="/dashboard/license">
          <KeyRound aria-hidden="true" />
          Get a license
        </Link>
      </Button>
    </Card>
  );
}
