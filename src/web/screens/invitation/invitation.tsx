import { useState } from "react";
import { Link, Navigate } from "react-router";
import { signedInBefore, useSession } from "../../api/session";
import { useAcceptInvitation, useJoinStaff } from "../../api/sign-in";
import { browserTimezone } from "../../api/timezone";
import { useFilledForm } from "../../hooks/use-filled-form";
import { useHydrated } from "../../hooks/use-hydrated";
import { brokenInvited } from "../../parts/account/account-rules";
import { ProveDialog } from "../../parts/account/prove-dialog";
import { wantsPassword } from "../../parts/account/refusals";
import { AuthFrame, AuthHeading } from "../../parts/auth-frame";
import { FormAlert } from "../../parts/form-alert";
import { incompleteLink, useLinkToken } from "../../parts/mailed-link";
import { PatientButton } from "../../parts/patient-button";
import { SubmitButton } from "../../parts/submit-button";
import { Button } from "../../ui/button";
import { NewPasswordField, UsernameField } from "../../parts/account/new-account-fields";

const fields = ["username", "password"] as const;

/** The page linked from an invitation to the staff: the account that is signed in joins, or a new one is made. */
export function Invitation() {
  const session = useSession();
  const accept = useAcceptInvitation();
  const join = useJoinStaff();
  const token = useLinkToken();
  const [makesNew, setMakesNew] = useState(false);
  // the desk needs two-factor, which is set up there
  if (accept.isSuccess || join.isSuccess) return <Navigate to="/dashboard/settings" replace />;
  const isSignedIn = session.state === "signed-in";
  // without the wait the form would come and go before the account is known
  if (session.state === "loading" && signedInBefore.recall()) return <AuthFrame>{null}</AuthFrame>;
  if (!isSignedIn || makesNew) return <InvitationForm accept={accept} token={token} />;
  const { user } = session;
  // the dialog asks for it
  const refusal = wantsPassword(join.error) ? null : join.error;
  const joinAs = () => token && join.mutate({ token });
  return (
    <AuthFrame>
      <AuthHeading title="Join the staff">
        You are signed in as {user.username}. Join with this account?
      </AuthHeading>
      <div className="flex flex-col gap-4">
        <FormAlert problem={token ? refusal : incompleteLink} />
        <PatientButton call={join} doing="Joining…" onClick={joinAs}>
          Join as {user.username}
        </PatientButton>
        <Button type="button" variant="outline" onClick={() => setMakesNew(true)}>
          Create a new account
        </Button>
      </div>
      <ProveDialog
        user={user}
        doing="Joining the staff"
        problem={join.error}
        onProved={joinAs}
        onClose={join.reset}
      />
    </AuthFrame>
  );
}

type Props = { accept: ReturnType<typeof useAcceptInvitation>; token: string | null };

function InvitationForm({ accept, token }: Props) {
  const hydrated = useHydrated();
  const { form, wrong, alert } = useFilledForm(
    fields,
    (typed) => {
      if (token && !accept.isPending) accept.mutate({ ...typed, token, timezone: browserTimezone() });
    },
    { problem: accept.error, check: brokenInvited, optional: fields },
  );
  return (
    <AuthFrame>
      {/* only then is the link known; drawn earlier, the form would jump when the alert appears */}
      {hydrated && (
        <>
          <AuthHeading title="Join the staff">
            Choose a username and a password. The account uses the email address we invited.
          </AuthHeading>
          <form className="flex flex-col gap-5" aria-label="Join the staff" {...form}>
            <FormAlert problem={token ? alert : incompleteLink} />
            <UsernameField wrong={wrong("username")} />
            <NewPasswordField wrong={wrong("password")} />
            <SubmitButton call={accept} doing="Creating your account…">
              Join
            </SubmitButton>
            <p className="text-sm text-muted-foreground">
              Next, you set up two-factor, which the desk needs. Already have an account?{" "}
              <Link to="/login" className="text-link underline underline-offset-4">
                Sign in
              </Link>{" "}
              and open the link again.
            </p>
          </form>
        </>
      )}
    </AuthFrame>
  );
}
