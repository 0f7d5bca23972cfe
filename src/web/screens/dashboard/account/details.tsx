import type { Me } from "@/contract/accounts";
import { EmailForm } from "../../../parts/account/email-form";
import { Card, CardDescription, CardHeader, CardTitle } from "../../../ui/card";
import { Token } from "./token";

/** The auth token, username and email. */
export function Details({ user }: { user: Me }) {
  return (
    <>
      <Token token={user.api_key} />
      <Card aria-label="User">
        <CardHeader>
          <CardTitle>User</CardTitle>
          <CardDescription>
            A new email counts at once. The old one gets a notice that can undo it for 72 hours.
          </CardDescription>
        </CardHeader>
        <EmailForm user={user} />
      </Card>
    </>
  );
}
