import { CircleCheck } from "lucide-react";
import { Link } from "react-router";
import { useConfirmEmail } from "../../api/account";
import { incompleteLink, useLinkToken } from "../../hooks/use-link-token";
import { AuthFrame, AuthHeading } from "../../parts/auth-frame";
import { FormAlert } from "../../parts/form-alert";
import { PatientButton } from "../../parts/patient-button";
import { Button } from "../../ui/button";

/** The page linked from the mail to an address that support entered: gives the account that address. */
export function ConfirmEmail() {
  const token = useLinkToken();
  const confirm = useConfirmEmail();
  return (
    <AuthFrame>
      {confirm.isSuccess ? (
        <Confirmed email={confirm.data} />
      ) : (
        <>
          <AuthHeading title="Use this email address?">
            Your account will use the address that this link was sent to. The previous address is told, and
            can undo it for 72 hours.
          </AuthHeading>
          <div className="flex flex-col gap-5">
            <FormAlert problem={token ? confirm.error : incompleteLink} />
            {token && (
              // Needs a press, because mail scanners open links too.
              <PatientButton
                pending={confirm.isPending}
                doing="Confirming…"
                problem={confirm.error}
                onClick={() => confirm.mutate(token)}
              >
                Confirm this address
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

function Confirmed({ email }: { email: string }) {
  return (
    <output className="flex flex-col gap-5">
      <span className="grid size-14 place-content-center rounded-full bg-success/10 text-success ring-1 ring-success/30 ring-inset">
        <CircleCheck aria-hidden="true" className="size-7" />
      </span>
      <AuthHeading title="The address is confirmed">
        Your account has <span className="break-all text-foreground">{email}</span> now.
      </AuthHeading>
      <Button asChild>
        <Link to="/login">Login</Link>
      </Button>
      <Button asChild variant="outline">
        <Link to="/forgot-pass">Choose a new password</Link>
      </Button>
    </output>
  );
}
