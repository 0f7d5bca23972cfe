import { CircleHelp } from "lucide-react";
import { Link } from "react-router";
import { texts } from "@/contract/vocabulary/texts";
import { Button } from "../../../ui/button";

/** Inside the frame, for every unknown path below /dashboard; the server answers 404. */
export function UnknownPage() {
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-4 py-16 text-center">
      <span className="grid size-12 place-content-center rounded-full bg-primary/12 text-link">
        <CircleHelp aria-hidden="true" className="size-5" />
      </span>
      <h1 className="text-2xl font-semibold tracking-tight">{texts.notFound}</h1>
      <p className="max-w-sm text-sm text-muted-foreground">
        The address may be mistyped, or the page may have moved. You can find everything in the menu.
      </p>
      <div className="flex flex-wrap justify-center gap-3">
        <Button asChild>
          <Link to="/dashboard">Go to your dashboard</Link>
        </Button>
        <Button asChild variant="outline">
          <Link to="/">Go Home</Link>
        </Button>
      </div>
    </div>
  );
}
