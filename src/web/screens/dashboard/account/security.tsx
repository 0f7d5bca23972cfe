import type { ReactNode } from "react";
import type { Me } from "@/contract/wire/accounts";
import { PasswordForm } from "../../../parts/account/password-form";
import { TwoFactor } from "../../../parts/account/two-factor/two-factor";
import { TitledCard } from "../../../parts/titled-card";
import { Card } from "../../../ui/card";
import { SecurityLog } from "./security-log";
import { Sessions } from "./sessions";

/** Two-factor, password, sessions and the security log; `first` is shown above them. */
export function Security({ user, first }: { user: Me; first?: ReactNode }) {
  return (
    <div className="grid items-start gap-6 xl:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-6">
        {first}
        <Card aria-label="Two-factor authentication">
          <TwoFactor user={user} heading="h2" />
        </Card>
        <TitledCard
          title="Password"
          description="A new password signs out every other browser. Eight characters or more."
        >
          <PasswordForm user={user} />
        </TitledCard>
      </div>
      <div className="flex min-w-0 flex-col gap-6">
        <Sessions hasToken={user.api_key !== null} />
      </div>
      {/* below both, so that sessions that load don't move it */}
      <div className="min-w-0 xl:col-span-2">
        <SecurityLog />
      </div>
    </div>
  );
}
