import { Link } from "react-router";
import { useUndoEmail } from "../../api/account";
import { AuthDone } from "../../parts/auth-frame";
import { MailedLink } from "../../parts/mailed-link";
import { Button } from "../../ui/button";

/** The page linked from the email about a changed address: restores the previous address. */
export function UndoEmail() {
  return (
    <MailedLink
      title="Undo the email change?"
      lead="Your previous email address will be restored, and everybody signed in to your account will be signed out."
      action="Undo the change"
      doing="Undoing…"
      mutation={useUndoEmail()}
      renderDone={(email) => (
        <AuthDone
          title="The change is undone"
          lead={
            <>
              Your account uses <span className="break-all text-foreground">{email}</span> again. If you did
              not change it yourself, somebody knows your password: choose a new one now, with the code that
              we have just mailed there. Until then, nothing that protects your account can be changed.
            </>
          }
        >
          <Button asChild>
            <Link to="/forgot-pass" state={{ mailedTo: email }}>
              Choose a new password
            </Link>
          </Button>
          <Button asChild variant="outline">
            <Link to="/login">Login</Link>
          </Button>
        </AuthDone>
      )}
    />
  );
}
