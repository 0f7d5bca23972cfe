import { KeyRound } from "lucide-react";
import { useLocation, useNavigate } from "react-router";
import { brand } from "@/brand/brand";
import { useRedeemWithToast } from "../../../parts/use-redeem-with-toast";
import { usePrivateParameters } from "../../../hooks/use-private-parameters";
import { mailedKeyProblemText, useMailedKey } from "../../../parts/mailed-key";
import { useProblemToast } from "../../../parts/use-problem-toast";
import { Field } from "../../../parts/field";
import { useFilledForm } from "../../../hooks/use-filled-form";
import { SubmitButton } from "../../../parts/submit-button";
import { Card } from "../../../ui/card";

/** Redeems a key and shows the result in a toast. */
export function RedeemBox({ primary }: { primary: boolean }) {
  const redeem = useRedeemWithToast();
  const navigate = useNavigate();
  const { pathname, hash } = useLocation();
  const brought = usePrivateParameters(["license_key"]);
  const mailed = useMailedKey("#redeem");
  const filled = brought.license_key ?? mailed.key;
  useProblemToast(mailed.problem, mailed.problem ? mailedKeyProblemText(mailed.problem) : undefined);
  const { form, wrong } = useFilledForm(
    ["key"],
    ({ key }, element) => {
      if (redeem.isPending) return;
      const done = () => {
        element.reset();
        // the key is used, so a reload must not restore it
        void navigate({ pathname, hash }, { replace: true, state: null });
      };
      redeem.redeem(key, done, mailed.token);
    },
    { problem: redeem.error },
  );
  return (
    <Card id="redeem" aria-label="Redeem">
      <form className="flex flex-col gap-4 sm:flex-row sm:items-start" aria-label="Redeem" {...form}>
        <div className="flex-1">
          <Field
            label="Redeem a license key"
            name="key"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            defaultValue={filled}
            placeholder={`${brand.keyPrefix}-XXXX-XXXX-XXXX-XXXX`}
            className="font-mono placeholder:font-mono"
            hint="Capital letters and dashes don't matter."
            wrong={wrong("key") === true ? "Enter a license key" : wrong("key")}
          />
        </div>
        <SubmitButton
          // somebody who comes with a key came to redeem it
          variant={primary || filled ? "default" : "outline"}
          pending={redeem.isPending}
          doing="Redeeming…"
          className="sm:mt-7 sm:w-36"
        >
          <KeyRound aria-hidden="true" />
          Redeem
        </SubmitButton>
      </form>
    </Card>
  );
}
