import { Pencil } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Me } from "@/contract/wire/accounts";
import { ConfirmAddress } from "../../../parts/account/confirm-address";
import { EmailForm } from "../../../parts/account/email-form";
import { PasswordForm } from "../../../parts/account/password-form";
import { TwoFactor } from "../../../parts/account/two-factor/two-factor";
import { TitledCard } from "../../../parts/titled-card";
import { Badge } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { TitledDialog } from "../../../parts/titled-dialog";

/** The username and email, editable after Edit, with the password and two-factor dialogs. */
export function UserCard({ user }: { user: Me }) {
  const [editing, edit] = useState(user.email === null);
  return (
    <TitledCard
      title="User"
      aside={
        !editing && (
          <Button variant="outline" onClick={() => edit(true)}>
            <Pencil aria-hidden="true" />
            Edit
          </Button>
        )
      }
    >
      {editing ? (
        <EmailForm
          user={user}
          guarded
          onDone={() => edit(false)}
          beside={
            <Button type="button" variant="outline" onClick={() => edit(false)}>
              Cancel
            </Button>
          }
        />
      ) : (
        <dl className="grid gap-5 sm:grid-cols-2">
          <Fact name="Username">{user.username}</Fact>
          <Fact
            name="Email"
            badge={
              user.sends_mail &&
              user.email !== null &&
              !user.email_confirmed && <Badge tone="warning">Not confirmed</Badge>
            }
          >
            {user.email ?? "None"}
          </Fact>
        </dl>
      )}
      <ConfirmAddress user={user} />
      <div className="flex flex-col gap-5 border-t pt-5">
        <TwoFactor user={user} heading="h3" />
        <div className="flex flex-wrap items-center justify-between gap-4 border-t pt-5">
          <h3 className="text-sm font-medium">Password</h3>
          <PasswordDialog user={user} />
        </div>
      </div>
    </TitledCard>
  );
}

function Fact({ name, badge, children }: { name: string; badge?: ReactNode; children: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <dt className="text-xs text-muted-foreground">{name}</dt>
      <dd className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm">
        <span className="min-w-0 wrap-anywhere">{children}</span>
        {badge}
      </dd>
    </div>
  );
}

/** The password form behind a button. */
function PasswordDialog({ user }: { user: Me }) {
  const [open, setOpen] = useState(false);
  return (
    <TitledDialog
      open={open}
      onOpenChange={setOpen}
      title="Change your password"
      description="This signs out every other browser."
      trigger={<Button variant="outline">Change Password</Button>}
    >
      <PasswordForm user={user} onDone={() => setOpen(false)} />
    </TitledDialog>
  );
}
