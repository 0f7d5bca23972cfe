import { Laptop } from "lucide-react";
import { Link } from "react-router";
import { useNow } from "../../hooks/use-now";
import { Button } from "../../ui/button";
import { Card, CardTitle } from "../../ui/card";
import { formatTime } from "../format-time";
import { pageOfCode, waitingCode } from "./waiting-code";

/** Leads back to the code of the computer for which this account just got its license. */
export function WaitingCodeCard() {
  const waiting = waitingCode.recall(useNow(1_000));
  if (!waiting) return null;
  return (
    <Card aria-label="Waiting computer" className="sm:flex-row sm:items-center">
      <Laptop aria-hidden="true" className="size-6 shrink-0 text-link" />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <CardTitle>Your computer is waiting to sign in</CardTitle>
        <p className="text-sm text-muted-foreground">The code expires on {formatTime(waiting.until)}.</p>
      </div>
      <Button asChild>
        <Link to={pageOfCode(waiting.code)}>Continue with code {waiting.code}</Link>
      </Button>
    </Card>
  );
}
