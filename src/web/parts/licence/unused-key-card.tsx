import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { unusedKeysQuery } from "../../api/licences";
import { useRedeemWithToast } from "../use-redeem-with-toast";
import { Card, CardDescription, CardTitle } from "../../ui/card";
import { PatientButton } from "../patient-button";

/** Offers to redeem a key that the account bought and nobody has redeemed, if there is one. */
export function UnusedKeyCard() {
  const { data: [unused, ...others] = [] } = useQuery(unusedKeysQuery);
  const redeem = useRedeemWithToast();
  if (!unused) return null;
  return (
    <Card aria-label="Unused key" className="border-ring/40 sm:flex-row sm:items-center sm:justify-between">
      <div className="flex min-w-0 flex-col gap-1.5">
        <CardTitle>You have a key that isn't in use.</CardTitle>
        <CardDescription>
          <span>{unused.name}</span> <span className="font-mono text-xs break-all">{unused.key}</span>
          {others.length > 0 && <span>{`, and ${others.length} more`}</span>}
        </CardDescription>
      </div>
      <PatientButton
        call={redeem}
        doing="Adding…"
        onClick={() => redeem.isPending || redeem.redeem(unused.key, () => {})}
        className="sm:min-w-32"
      >
        <KeyRound aria-hidden="true" />
        Add it
      </PatientButton>
    </Card>
  );
}
