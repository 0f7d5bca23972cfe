import { Link } from "react-router";
import { usePrivateParameters } from "../../hooks/use-private-parameters";
import { useRedeemWithToast } from "../../parts/use-redeem-with-toast";
import { AuthFrame, AuthHeading } from "../../parts/auth-frame";
import { UseKeyButton } from "../../parts/use-key-button";
import { Button } from "../../ui/button";

/** Redeems a key on the account of a signed-in visitor. */
export function UseKey({ username }: { username: string }) {
  const redeem = useRedeemWithToast();
  const { license_key: key = "" } = usePrivateParameters(["license_key", "email"]);
  return (
    <AuthFrame>
      <AuthHeading title="Use your license key">
        Signed in as {username}. The key ends in <span className="font-mono">{key.slice(-4)}</span>.
      </AuthHeading>
      <div className="flex flex-col gap-3">
        <UseKeyButton redeem={redeem} licenceKey={key} />
        <Button asChild variant="outline" size="lg">
          <Link to="/dashboard">Go to the dashboard</Link>
        </Button>
      </div>
    </AuthFrame>
  );
}
