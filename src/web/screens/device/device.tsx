import { useState } from "react";
import { Navigate, useLocation, useNavigate } from "react-router";
import type { Me } from "@/contract/wire/accounts";
import { useDecideRequest, useFindRequest } from "../../api/devices";
import { useSession } from "../../api/session";
import { useHydrated } from "../../hooks/use-hydrated";
import { ProveDialog } from "../../parts/account/prove-dialog";
import { AuthFrame } from "../../parts/auth-frame";
import { returnState } from "../../parts/destination";
import { waitingCode } from "../../parts/devices/waiting-code";
import { Problem } from "../../parts/problem";
import { RowsSkeleton } from "../../parts/rows-skeleton";
import { EnterCode } from "./enter-code";
import { Decided } from "./decided";
import { Review } from "./review";
import { readUserCode } from "@/contract/vocabulary/typed-codes";

/** Lets the application on a computer sign in to this account (RFC 8628): its code, who asks, and the answer. */
export function Device() {
  const session = useSession();
  const location = useLocation();
  if (session.state === "signed-out") return <Navigate to="/login" replace state={returnState(location)} />;
  return (
    <AuthFrame>
      {session.state === "loading" && <RowsSkeleton rows={3} />}
      {session.state === "unknown" && <Problem problem={session.problem} retry={session.retry} />}
      {session.state === "signed-in" && <SignedIn user={session.user} />}
    </AuthFrame>
  );
}

function SignedIn({ user }: { user: Me }) {
  const find = useFindRequest();
  const decide = useDecideRequest();
  const [code, setCode] = useCode();
  const [decided, setDecided] = useState<{ label: string; approved: boolean }>();
  const restart = () => {
    find.reset();
    decide.reset();
    setDecided(undefined);
    setCode(null);
  };
  if (decided) return <Decided {...decided} user={user} onAgain={restart} />;
  if (!find.data)
    return (
      <EnterCode
        find={find}
        filled={code}
        onSend={(typed) => find.mutate(typed, { onSuccess: () => setCode(typed) })}
      />
    );
  const { label } = find.data;
  const answer = (approve: boolean) =>
    decide.mutate(
      { user_code: find.variables ?? "", approve },
      {
        onSuccess: () => {
          waitingCode.forget();
          setDecided({ label, approved: approve });
        },
      },
    );
  return (
    <>
      <Review
        user={user}
        code={find.variables ?? ""}
        request={find.data}
        decide={decide}
        onDecide={answer}
        onAgain={restart}
      />
      <ProveDialog
        user={user}
        doing="Signing a computer in"
        problem={decide.error}
        onProved={() => answer(true)}
        onClose={decide.reset}
      />
    </>
  );
}

/** The code in the URL, so that the way to a license and back doesn't lose it; it fills the field, and sends nothing. */
function useCode() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const hydrated = useHydrated();
  const code = hydrated ? readUserCode(new URLSearchParams(search).get("user_code") ?? "") : null;
  const setCode = (next: string | null) =>
    void navigate(next === null ? pathname : `${pathname}?${new URLSearchParams({ user_code: next })}`, {
      replace: true,
    });
  return [code, setCode] as const;
}
