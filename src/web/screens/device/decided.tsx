import { Ban } from "lucide-react";
import { Link } from "react-router";
import { brand } from "@/brand/brand";
import type { Me } from "@/contract/wire/accounts";
import { useRefreshDevices } from "../../api/devices";
import { AuthDone } from "../../parts/auth-frame";
import { Button } from "../../ui/button";

type Props = { label: string; approved: boolean; user: Me; onAgain: () => void };

/** What was given, and where to take it back. */
export function Decided({ label, approved, user, onAgain }: Props) {
  const refresh = useRefreshDevices();
  const again = (
    <Button variant="outline" onClick={onAgain}>
      Enter another code
    </Button>
  );
  if (!approved)
    return (
      <AuthDone
        icon={Ban}
        tone="neutral"
        title="Denied"
        lead={`${brand.shortName} on ${label} wasn't signed in. If you didn't start this, you don't need to do anything: nobody got access.`}
      >
        {again}
      </AuthDone>
    );
  return (
    <AuthDone
      title={`${label} is approved`}
      lead={`Go back to your computer: ${brand.shortName} signs in within a few seconds and runs on ${user.username}'s license. It doesn't get your password and can't change your account.`}
    >
      <p className="text-sm text-pretty text-muted-foreground">
        To undo this, remove the computer in your settings. If it's new to your account, we email you about
        it.
      </p>
      <Button asChild>
        <Link to="/dashboard/settings#devices" onClick={refresh}>
          See your computers
        </Link>
      </Button>
      {again}
    </AuthDone>
  );
}
