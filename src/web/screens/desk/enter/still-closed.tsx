import type { ReactNode } from "react";
import { Link } from "react-router";
import { Mark } from "../../../parts/mark";
import { Button } from "../../../ui/button";

/** For members of staff who sign in with a password alone. */
export const TwoFactorNeeded = () => (
  <StillClosed title="The desk needs two-factor">
    The desk holds customer data, so a password alone doesn&apos;t open it. Enable two-factor in your
    settings, then come back.
  </StillClosed>
);

/** For members of staff whose account was recovered and had no two-factor afterwards. */
export const RoleAsleep = () => (
  <StillClosed title="Your role is asleep">
    Your account was recovered by email and had no two-factor afterward. Enable two-factor in your settings,
    and ask another owner to wake your role.
  </StillClosed>
);

function StillClosed({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col items-start justify-center gap-6 px-5 py-10">
      <Mark className="size-9 text-link" />
      <div className="flex flex-col gap-2">
        <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
        <p className="text-sm text-pretty text-muted-foreground">{children}</p>
      </div>
      <Button asChild>
        <Link to="/dashboard/settings">Go to Settings</Link>
      </Button>
    </main>
  );
}
