import { ShieldCheck, ShieldOff } from "lucide-react";
import { useState } from "react";
import type { Me } from "@/contract/wire/accounts";
import { useOfferAuthenticator } from "../../../api/security";
import { Badge } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { EnableDialog } from "./enable-dialog";
import { RemoveDialog } from "./remove-dialog";

/** Shows whether two-factor is on, and turns it on or off. `heading` is its level in the page's outline. */
export function TwoFactor({ user, heading: Heading }: { user: Me; heading: "h2" | "h3" }) {
  // the dialog must stay open once two-factor is on, because it shows the recovery codes only once
  const [open, setOpen] = useState<"enable" | "remove" | null>(null);
  const offer = useOfferAuthenticator();
  const close = () => {
    setOpen(null);
    offer.reset();
  };
  const Icon = user.mfa ? ShieldCheck : ShieldOff;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <div className="flex min-w-0 flex-1 basis-64 flex-col gap-1">
        <Heading className="flex flex-wrap items-center gap-2.5 text-sm font-medium">
          Two-factor authentication
          <Badge tone={user.mfa ? "good" : "neutral"}>
            <Icon aria-hidden="true" />
            <span>{user.mfa ? "Enabled" : "Disabled"}</span>
          </Badge>
        </Heading>
        <p className="text-sm text-muted-foreground">
          {user.mfa
            ? "You sign in with your password and a code from your authenticator app."
            : "Protect your account with codes from an authenticator app."}
        </p>
      </div>
      <Button
        variant="outline"
        className="max-sm:w-full"
        onClick={() => setOpen(user.mfa ? "remove" : "enable")}
      >
        <span>{user.mfa ? "Disable" : "Enable"}</span>
        <span className="sr-only"> two-factor authentication</span>
      </Button>
      <EnableDialog open={open === "enable"} offer={offer} username={user.username} onClose={close} />
      <RemoveDialog open={open === "remove"} onClose={close} />
    </div>
  );
}
