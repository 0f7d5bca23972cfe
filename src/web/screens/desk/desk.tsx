import { useQuery } from "@tanstack/react-query";
import { Navigate, useLocation } from "react-router";
import { deskMeQuery } from "../../api/desk/session";
import { useSession } from "../../api/session";
import { late } from "../../parts/late";
import { returnState } from "../../parts/destination";
import { Problem } from "../../parts/problem";
import { Enter } from "./enter/enter";
import { RoleAsleep, TwoFactorNeeded } from "./enter/still-closed";
import { DeskFrame } from "./frame/desk-frame";
import { DeskSkeleton } from "./parts/desk-skeleton";

const NotFound = late(async () => (await import("../not-found/not-found")).NotFound);

/**
 * The desk's door: visitors sign in first, customers find no such page, and staff show a code of their authenticator.
 * The screens behind it are in `screens.tsx`.
 */
export function Desk() {
  const session = useSession();
  const location = useLocation();
  if (session.state === "signed-out") return <Navigate to="/login" replace state={returnState(location)} />;
  if (session.state === "loading") return <DeskSkeleton />;
  if (session.state === "unknown") return <Unreached problem={session.problem} retry={session.retry} />;
  const { user } = session;
  if (user.staff === null) return <NotFound />;
  if (user.staff_asleep) return <RoleAsleep />;
  return user.mfa ? <Entered key={user.id} /> : <TwoFactorNeeded />;
}

function Entered() {
  const { data: me, error, refetch } = useQuery(deskMeQuery);
  if (me) return <DeskFrame me={me} />;
  if (me === null) return <Enter />;
  return error ? <Unreached problem={error} retry={() => void refetch()} /> : <DeskSkeleton />;
}

function Unreached(props: { problem: Error; retry: () => void }) {
  return (
    <main className="grid min-h-dvh place-content-center p-6">
      <h1 className="sr-only">Desk</h1>
      <Problem {...props} />
    </main>
  );
}
