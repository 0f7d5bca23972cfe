import { Link } from "react-router";
import { Refused } from "../../api/client";
import { useConfirmEmail, useDeclineEmail } from "../../api/account";
import { AuthDone, AuthFrame } from "../../parts/auth-frame";
import { FormAlert } from "../../parts/form-alert";
import { MailedLink } from "../../parts/mailed-link";
import { PatientButton } from "../../parts/patient-button";
import { Button } from "../../ui/button";

/** The page linked from the mail to an address that was entered for an account: confirms it, or ends the request. */
export function ConfirmEmail() {
  const confirm = useConfirmEmail();
  const decline = useDeclineEmail();
  if (decline.isSuccess)
    return (
      <AuthFrame>
        <AuthDone title="Request declined" lead="No account will use this address.">
          <Button asChild variant="outline">
            <Link to="/">Go Home</Link>
          </Button>
        </AuthDone>
      </AuthFrame>
    );
  const refused = confirm.error instanceof Refused ? confirm.error.code : undefined;
  return (
    <MailedLink
      title="Use this email address?"
      lead="Someone entered it for their account. If that was you, confirm it in the browser where you're signed in to that account."
      action="Confirm this address"
      doing="Confirming…"
      mutation={confirm}
      renderBeside={(token) => (
        <>
          {refused === "confirm_elsewhere" && (
            <Button asChild variant="outline">
              <Link to="/login">Sign in</Link>
            </Button>
          )}
          {/* there one sees whether the address is confirmed, and sends another link */}
          {refused === "confirmation_invalid" && (
            <Button asChild variant="outline">
              <Link to="/dashboard/account">Go to your account</Link>
            </Button>
          )}
          <FormAlert problem={decline.error} />
          <PatientButton
            variant="outline"
            call={decline}
            doing="Ending…"
            onClick={() => decline.mutate(token)}
          >
            This isn&apos;t me
          </PatientButton>
        </>
      )}
      renderDone={(email) => (
        <AuthDone
          title="Email confirmed"
          lead={
            <>
              Updated user email to <span className="break-all text-foreground">{email}</span>
            </>
          }
        >
          <Button asChild>
            <Link to="/dashboard">Dashboard</Link>
          </Button>
        </AuthDone>
      )}
    />
  );
}
