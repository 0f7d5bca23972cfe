import { ArrowUpRight } from "lucide-react";
import type { ComponentProps } from "react";
import { useLocation } from "react-router";
import { dashboardPath } from "@/contract/vocabulary/page-marks";
import type { PortalFlow } from "@/contract/wire/subscriptions";
import { usePortal } from "../../api/subscriptions";
import type { Button } from "../../ui/button";
import { PatientButton } from "../patient-button";
import type { PlanAction } from "./status-action";

/** What is done on Stripe's page. */
type StripeAction = Exclude<PlanAction, "drop">;

type Props = Pick<ComponentProps<typeof Button>, "variant" | "size" | "className"> & {
  id: string;
  action: StripeAction;
};

/** Without a `flow`, the whole page. */
const flows: Record<StripeAction, { label: string; flow?: PortalFlow }> = {
  card: { label: "Update card", flow: "card" },
  switch: { label: "Change plan", flow: "switch" },
  cancel: { label: "Cancel subscription", flow: "cancel" },
  resume: { label: "Resume subscription" },
  invoices: { label: "Invoices" },
};

/** Leads to the part of Stripe's page that does this, and from there back to the page shown. */
export function PortalButton({ action, id, ...look }: Props) {
  const { pathname, search } = useLocation();
  const portal = usePortal();
  const { label, flow } = flows[action];
  const page = `${pathname.replace(/\/$/, "")}${search}`;
  return (
    <>
      <PatientButton
        {...look}
        call={portal}
        doing="Opening Stripe…"
        onClick={() =>
          portal.mutate({ id, ...(flow && { flow }), ...(dashboardPath.test(page) && { return_to: page }) })
        }
      >
        <span>{label}</span>
        <ArrowUpRight aria-hidden="true" />
        <span className="sr-only"> at Stripe</span>
      </PatientButton>
      {portal.error && <StripeProblem>{portal.error.message}</StripeProblem>}
    </>
  );
}

export const StripeProblem = ({ children }: { children: string }) => (
  <p role="alert" className="w-full text-sm text-destructive-text">
    {children}
  </p>
);
