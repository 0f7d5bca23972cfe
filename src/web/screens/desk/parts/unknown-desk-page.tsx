import { CircleHelp } from "lucide-react";
import { Link } from "react-router";
import { texts } from "@/contract/vocabulary/texts";
import { Button } from "../../../ui/button";

/** For paths below /desk that lead nowhere, and things that are gone. */
export function UnknownDeskPage() {
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-4 py-16 text-center">
      <span className="grid size-12 place-content-center rounded-full bg-primary/12 text-link">
        <CircleHelp aria-hidden="true" className="size-5" />
      </span>
      <h1 className="text-2xl font-semibold tracking-tight">{texts.notFound}</h1>
      <p className="max-w-sm text-sm text-muted-foreground">
        The address may be mistyped, or what it showed has been erased.
      </p>
      <Button asChild>
        <Link to="/desk">Go to Today</Link>
      </Button>
    </div>
  );
}
