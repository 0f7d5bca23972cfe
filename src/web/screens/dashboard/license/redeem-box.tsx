import { KeyRound } from "lucide-react";
import { useLocation, useNavigate } from "react-router";
import { brand } from "@/brand/brand";
import { texts } from "@/contract/texts";
import { Unreachable } from "../../../api/client";
import { useRedeem } from "../../../api/licences";
import { useTakenFromAddress } from "../../../parts/address";
import { Field } from "../../../parts/field";
import { useFilledForm } from "../../../parts/form";
import { writeMoment } from "../../../parts/moment";
import { notify } from "../../../parts/notices";
import { SubmitButton } from "../../../parts/submit-button";
import { Card } from "../../../ui/card";

/** Redeems a key, and says in a toast what came of it. */
export function RedeemBox() {
  const redeem = useRedeem();
  const navigate = useNavigate();
  const { pathname, hash } = useLocation();
  const brought = useTakenFromAddress(["license_key"]);
  const { form, isEmpty } = useFilledForm(["key"], ({ key }, element) => {
    if (redeem.isPending) return;
    redeem.mutate(key, {
      onSuccess: (expires) => {
        element.reset();
        // Spent: a reload must not bring it back.
        void navigate({ pathname, hash }, { replace: true, state: null });
        notify("success", texts.redeemed(expires ? writeMoment(new Date(expires)) : "never"), "account");
      },
      onError: (problem) => {
        const unanswered = problem instanceof Unreachable;
        notify("error", unanswered ? texts.redeemUnanswered : problem.message, "account");
      },
    });
  });
  return (
    <Card aria-label="Redeem">
      <form className="flex flex-col gap-4 sm:flex-row sm:items-end" aria-label="Redeem" {...form}>
        <div className="flex-1">
          <Field
            label="Redeem a license key"
            name="key"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            defaultValue={brought.license_key}
            placeholder={`${brand.keyPrefix}-XXXX-XXXX-XXXX-XXXX`}
            className="font-mono placeholder:font-mono"
            wrong={isEmpty("key") || redeem.isError}
          />
        </div>
        <SubmitButton pending={redeem.isPending} doing="Redeeming…" className="sm:w-36">
          <KeyRound aria-hidden="true" />
          Redeem
        </SubmitButton>
      </form>
    </Card>
  );
}
