import { useNavigate } from "react-router";
import type { useRedeemWithToast } from "./use-redeem-with-toast";
import { PatientButton } from "./patient-button";

/**
 * Redeems a key on the signed-in account. The page owns `redeem`, because it may replace this button, with the key
 * masked, before the answer arrives.
 */
export function UseKeyButton(props: { redeem: ReturnType<typeof useRedeemWithToast>; licenceKey: string }) {
  const { redeem, licenceKey } = props;
  const navigate = useNavigate();
  return (
    <PatientButton
      size="lg"
      call={redeem}
      doing="Redeeming…"
      onClick={() => redeem.isPending || redeem.redeem(licenceKey, () => void navigate("/dashboard/license"))}
    >
      Use it on this account
    </PatientButton>
  );
}
