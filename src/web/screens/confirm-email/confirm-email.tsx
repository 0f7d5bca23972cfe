import { Link } from "react-router";
import { useConfirmEmail } from "../../api/account";
import { AuthDone } from "../../parts/auth-frame";
import { MailedLink } from "../../parts/mailed-link";
import { Button } from "../../ui/button";

/** The page linked from the email to an address that support entered: gives the account that address. */
export function ConfirmEmail() {
  return (
    <MailedLink
      title="Use this email address?"
      lead="Your account will use the address that this link was sent to. The previous address will be told, and can undo it for 72 hours."
      action="Confirm this address"
      doing="Confirming…"
      mutation={useConfirmEmail()}
      renderDone={(email) => (
        <AuthDone
          title="The address is confirmed"
          lead={
            <>
              Your account now uses <span className="break-all text-foreground">{email}</span>.
            </>
          }
        >
          <Button asChild>
            <Link to="/login">Login</Link>
          </Button>
          <Button asChild variant="outline">
            <Link to="/forgot-pass">Choose a new password</Link>
          </Button>
        </AuthDone>
      )}
    />
  );
}
