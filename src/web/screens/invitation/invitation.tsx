import { Link, Navigate } from "react-router";
import { useAcceptInvitation, useSession } from "../../api/session";
import { browserTimezone } from "../../api/timezone";
import { useFilledForm } from "../../hooks/use-filled-form";
import { useHydrated } from "../../hooks/use-hydrated";
import { accountHints, brokenInvited } from "../../parts/account/account-rules";
import { AuthFrame, AuthHeading } from "../../parts/auth-frame";
import { Field, SecretField } from "../../parts/field";
import { FormAlert } from "../../parts/form-alert";
import { incompleteLink, useLinkToken } from "../../parts/mailed-link";
import { SubmitButton } from "../../parts/submit-button";

const fields = ["username", "password"] as const;

/** The page linked from an invitation to the staff: a name and a password make the account. */
export function Invitation() {
  const session = useSession();
  const accept = useAcceptInvitation();
  // the desk needs two-factor, which is set up there
  if (accept.isSuccess) return <Navigate to="/dashboard/security" replace />;
  return <InvitationForm accept={accept} isSignedIn={session.state === "signed-in"} />;
}

type Props = { accept: ReturnType<typeof useAcceptInvitation>; isSignedIn: boolean };

function InvitationForm({ accept, isSignedIn }: Props) {
  const token = useLinkToken();
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
            {isSignedIn
              ? "You are signed in to another account. This makes a new one, with the address that was invited."
              : "Choose a name and a password. The account has the address that was invited."}
          </AuthHeading>
          <form className="flex flex-col gap-5" aria-label="Join the staff" {...form}>
            <FormAlert problem={token ? alert : incompleteLink} />
            <Field
              label="Username"
              name="username"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              hint={accountHints.username}
              wrong={wrong("username")}
            />
            <SecretField
              label="Password"
              name="password"
              autoComplete="new-password"
              hint={accountHints.password}
              wrong={wrong("password")}
            />
            <SubmitButton pending={accept.isPending} doing="Creating your account…" problem={accept.error}>
              Join
            </SubmitButton>
            <p className="text-sm text-muted-foreground">
              Next comes two-factor, which the desk needs. Do you have an account with that address?{" "}
              <Link to="/login" className="text-link underline underline-offset-4">
                Sign in
              </Link>{" "}
              and it gets the role by itself.
            </p>
          </form>
        </>
      )}
    </AuthFrame>
  );
}
