import { Pencil } from "lucide-react";
import { useState } from "react";
import type { Me } from "@/contract/accounts";
import { EmailForm } from "../../../parts/account/email-form";
import { PasswordDialog } from "../../../parts/account/password-dialog";
import { TwoFactor } from "../../../parts/account/two-factor/two-factor";
import { Button } from "../../../ui/button";
import { Card, CardDescription, CardHeader, CardTitle } from "../../../ui/card";

/** The username and email, editable after Edit, with the password and two-factor dialogs. */
export function UserCard({ user }: { user: Me }) {
  const [editing, edit] = useState(false);
  return (
    <Card aria-label="User">
      <div className="flex items-start justify-between gap-4">
        <CardHeader>
          <CardTitle>User</CardTitle>
          <CardDescription>How you sign in.</CardDescription>
        </CardHeader>
        {!editing && (
          <Button variant="outline" onClick={() => edit(true)}>
            <Pencil aria-hidden="true" />
            Edit
          </Button>
        )}
      </div>
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
          <Fact name="Email">{user.email}</Fact>
        </dl>
      )}
      <div className="flex flex-col gap-5 border-t pt-5">
        <TwoFactor user={user} heading="h3" />
        <div className="flex flex-wrap items-center justify-between gap-4 border-t pt-5">
          <h3 className="text-sm font-medium">Password</h3>
          <PasswordDialog user={user} />
        </div>
      </div>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <dt className="text-xs text-muted-foreground">{name}</dt>
      <dd className="truncate text-sm" title={children}>
        {children}
      </dd>
    </div>
  );
}
