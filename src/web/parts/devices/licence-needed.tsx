import { Link } from "react-router";
import { Button } from "../../ui/button";

/** Without an active licence no computer gets in: the ways to one. */
export function LicenceNeeded({ children }: { children: string }) {
  return (
    <section className="flex flex-col gap-4" aria-label="License needed">
      <p className="text-sm text-pretty text-muted-foreground">{children}</p>
      <div className="flex flex-col gap-3">
        <Button asChild>
          <Link to="/dashboard/license#buy">Buy a license</Link>
        </Button>
        <Button asChild variant="outline">
          <Link to="/dashboard/license">Redeem a key</Link>
        </Button>
      </div>
    </section>
  );
}
