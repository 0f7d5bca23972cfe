import { Link } from "react-router";
import { Mark } from "../../../parts/mark";
import { Button } from "../../../ui/button";

/** For members of staff who sign in with a password alone. */
export function TwoFactorNeeded() {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col items-start justify-center gap-6 px-5 py-10">
      <Mark className="size-9 text-link" />
      <div className="flex flex-col gap-2">
        <h1 className="text-2xl font-semibold tracking-tight">The desk needs two-factor</h1>
        <p className="text-sm text-pretty text-muted-foreground">
          It holds what customers trust the shop with, so a password alone doesn&apos;t open it. Enable
          two-factor in your settings, then come back.
        </p>
      </div>
      <Button asChild>
        <Link to="/dashboard/settings">Go to Settings</Link>
      </Button>
    </main>
  );
}
