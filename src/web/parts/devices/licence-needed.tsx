import { Link } from "react-router";
import { Button } from "../../ui/button";

/** Shown without an active licence, which every computer needs: the ways to get one. */
export function LicenceNeeded({ children, onLeave }: { children: string; onLeave?: () => void }) {
  return (
    <section className="flex flex-col gap-4" aria-label="License needed">
      <p className="text-sm text-pretty text-muted-foreground">{children}</p>
      <div className="flex flex-col gap-3">
        <Button asChild>
          <Link to="/dashboard/license#buy" onClick={onLeave}>
            Buy a license
          </Link>
        </Button>
        <Button asChild variant="outline">
          <Link to="/dashboard/license" onClick={onLeave}>
            Redeem a key
          </Link>
        </Button>
      </div>
    </section>
  );
}
