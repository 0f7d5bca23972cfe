import type { ComponentProps } from "react";
import { useDrop } from "../../../api/subscriptions";
import { ConfirmButton } from "../../../parts/account/confirm-button";
import { StripeProblem } from "../../../parts/licence/portal-button";
import type { Button } from "../../../ui/button";

type Props = Pick<ComponentProps<typeof Button>, "variant" | "className"> & { id: string };

/** Cancels a subscription whose first payment is still on its way. */
export function DropButton({ id, ...look }: Props) {
  const drop = useDrop();
  return (
    <>
      <ConfirmButton
        {...look}
        call={drop}
        doing="Canceling…"
        title="Cancel this subscription?"
        warning="It won't start. If money still arrives, we give all of it back."
        action="Cancel subscription"
        keep="Keep it"
        onConfirm={() => drop.mutate(id)}
      >
        Cancel subscription
      </ConfirmButton>
      {drop.error && <StripeProblem>{drop.error.message}</StripeProblem>}
    </>
  );
}
