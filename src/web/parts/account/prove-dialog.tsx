import type { Me } from "@/contract/wire/accounts";
import { useReauthenticate } from "../../api/security";
import { useFilledForm } from "../../hooks/use-filled-form";
import { ForPasswordManagers, takeFocus } from "../field";
import { PatientButton } from "../patient-button";
import { useCodeBoxes, wantsPassword } from "./refusals";
import { SecurityCode } from "./security-code";
import { TitledDialog } from "../titled-dialog";
import { PasswordField } from "./password-field";

type Props = {
  user: Pick<Me, "username" | "mfa">;
  /** What needs the proof: "Connecting a Discord user". */
  doing: string;
  /** The call's refusal; the dialog is open while it asks for the password. */
  problem: Error | null;
  /** Makes the call again. */
  onProved: () => void;
  onClose: () => void;
};

/** Asks for the password, and with two-factor a code, when a call needs them typed recently; then repeats the call. */
export function ProveDialog({ doing, problem, onClose, ...form }: Props) {
  return (
    <TitledDialog
      open={wantsPassword(problem)}
      onOpenChange={onClose}
      title="Confirm it's you"
      description={`${doing} needs your password.`}
    >
      <ProveForm {...form} />
    </TitledDialog>
  );
}

const names = ["password", "security_code"] as const;

function ProveForm({ user, onProved }: Pick<Props, "user" | "onProved">) {
  const prove = useReauthenticate();
  const { boxes, refused } = useCodeBoxes();
  const { form, wrong } = useFilledForm(
    user.mfa ? names : names.slice(0, 1),
    ({ password, security_code }) => {
      if (!prove.isPending)
        prove.mutate(user.mfa ? { password, security_code } : { password }, {
          onSuccess: onProved,
          onError: refused,
        });
    },
    { problem: prove.error },
  );
  return (
    <form className="flex flex-col gap-5" aria-label="Confirm it's you" {...form}>
      <ForPasswordManagers username={user.username} />
      <PasswordField ref={takeFocus} wrong={wrong("password")} />
      {user.mfa && <SecurityCode recovery boxes={boxes} wrong={wrong("security_code")} />}
      <PatientButton type="submit" call={prove} doing="Checking…">
        Continue
      </PatientButton>
    </form>
  );
}
