import { CircleCheck } from "lucide-react";
import { Link } from "react-router";
import { useUndoEmail } from "../../api/account";
import { incompleteLink, useLinkToken } from "../../hooks/use-link-token";
import { AuthFrame, AuthHeading } from "../../parts/auth-frame";
import { FormAlert } from "../../parts/form-alert";
import { PatientButton } from "../../parts/patient-button";
import { Button } from "../../ui/button";

/** The page linked from the notice of a changed email: restores the previous address. */
export function UndoEmail() {
  const token = useLinkToken();
  const undo = useUndoEmail();
  return (
    <AuthFrame>
      {undo.isSuccess ? (
        <Undone email={undo.data} />
      ) : (
        <>
          <AuthHeading title="Undo the email change?">
            Your previous email address will be restored, and everybody signed in to your account will be
            signed out.
          </AuthHeading>
          <div className="flex flex-col gap-5">
            <FormAlert problem={token ? undo.error : incompleteLink} />
            {token && (
              // Needs a press, because mail scanners open links too.
              <PatientButton
                pending={undo.isPending}
                doing="Undoing…"
                problem={undo.error}
                onClick={() => undo.mutate(token)}
              >
                Undo the change
              </PatientButton>
            )}
            <Button asChild variant="outline">
              <Link to="/">Leave it as it is</Link>
            </Button>
          </div>
        </>
      )}
    </AuthFrame>
  );
}

function Undone({ email }: { email: string }) {
  return (
    <output className="flex flex-col gap-5">
      <span className="grid size-14 place-content-center rounded-full bg-success/10 text-success ring-1 ring-success/30 ring-inset">
        <CircleCheck aria-hidden="true" className="size-7" />
      </span>
      <AuthHeading title="The change is undone">
        Your account has <span className="break-all text-foreground">{email}</span> again. If you did not
        change it yourself, somebody knows your password: choose a new one now.
      </AuthHeading>
      <Button asChild>
        <Link to="/forgot-pass">Choose a new password</Link>
      </Button>
      <Button asChild variant="outline">
        <Link to="/login">Login</Link>
      </Button>
    </output>
  );
}
