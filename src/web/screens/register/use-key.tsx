import { Link, useNavigate } from "react-router";
import { usePrivateParameters } from "../../hooks/use-private-parameters";
import { useRedeemWithToast } from "../../hooks/use-redeem-with-toast";
import { AuthFrame, AuthHeading } from "../../parts/auth-frame";
import { PatientButton } from "../../parts/patient-button";
import { Button } from "../../ui/button";

/** For somebody who is signed in and comes with a key: uses it on their account. */
export function UseKey({ username }: { username: string }) {
  const { license_key: key = "" } = usePrivateParameters(["license_key", "email"]);
  const redeem = useRedeemWithToast();
  const navigate = useNavigate();
  return (
    <AuthFrame>
      <AuthHeading title="Use your license key">
        Signed in as {username}. The key ends in <span className="font-mono">{key.slice(-4)}</span>.
      </AuthHeading>
      <div className="flex flex-col gap-3">
        <PatientButton
          size="lg"
          pending={redeem.isPending}
          doing="Redeeming…"
          problem={redeem.error}
          onClick={() => redeem.isPending || redeem.redeem(key, () => void navigate("/dashboard/license"))}
        >
          Use it on this account
        </PatientButton>
        <Button asChild variant="outline" size="lg">
          <Link to="/dashboard">Go to the dashboard</Link>
        </Button>
      </div>
    </AuthFrame>
  );
}
