import { MailCheck } from "lucide-react";
import { Link } from "react-router";
import { isRateLimited } from "../../api/client";
import { useFindOrders } from "../../api/payments";
import { useFilledForm } from "../../hooks/use-filled-form";
import { AuthDone, AuthFrame, AuthHeading } from "../../parts/auth-frame";
import { Field } from "../../parts/field";
import { FormAlert } from "../../parts/form-alert";
import { SubmitButton } from "../../parts/submit-button";
import { SupportAddress } from "../../parts/support-address";
import { Button } from "../../ui/button";

/** Emails an address its orders. */
export function FindOrder() {
  const finding = useFindOrders();
  return (
    <AuthFrame>
      {finding.isSuccess ? (
        <Sent address={finding.variables} again={finding.reset} />
      ) : (
        <>
          <AuthHeading title="Find your order">
            Enter the email you paid with. We&apos;ll email your orders and license keys to it.
          </AuthHeading>
          <FindForm finding={finding} />
        </>
      )}
    </AuthFrame>
  );
}

function FindForm({ finding }: { finding: ReturnType<typeof useFindOrders> }) {
  const { form, wrong, alert } = useFilledForm(
    ["email"],
    ({ email }) => {
      if (!finding.isPending) finding.mutate(email);
    },
    { problem: finding.error },
  );
  const limited = isRateLimited(finding.error);
  return (
    <form className="flex flex-col gap-5" aria-label="Find your order" {...form}>
      <FormAlert problem={alert} />
      {limited && (
        <p className="text-sm text-muted-foreground">
          Can&apos;t wait? Write to <SupportAddress />.
        </p>
      )}
      <Field label="Email" name="email" type="email" autoComplete="email" wrong={wrong("email")} />
      <SubmitButton call={finding} doing="Sending…">
        Send Email
      </SubmitButton>
      <p className="text-center text-sm text-muted-foreground">
        Have your key?{" "}
        <Link
          to="/register"
          className="text-link underline decoration-link/50 underline-offset-4 hover:decoration-link"
        >
          Register
        </Link>
      </p>
    </form>
  );
}

function Sent({ address, again }: { address: string; again: () => void }) {
  const lead = (
    <>
      <span>If </span>
      <strong className="font-semibold wrap-anywhere text-foreground">{address}</strong>
      <span> bought something, the order is on its way. Check spam, too.</span>
    </>
  );
  return (
    <AuthDone icon={MailCheck} title="Check your email" lead={lead}>
      <Button type="button" variant="outline" onClick={again}>
        Try another address
      </Button>
      <p className="text-sm text-muted-foreground">
        No email after a few minutes? You may have mistyped your address at checkout. Write to{" "}
        <SupportAddress /> with the day you paid.
      </p>
    </AuthDone>
  );
}
