import { CreditCard } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import type { Me } from "@/contract/wire/accounts";
import { dashboardPath } from "@/contract/vocabulary/page-marks";
import { usePortal } from "../../../api/subscriptions";
import { useNow } from "../../../hooks/use-now";
import { formatDay } from "../../../parts/format-time";
import { PatientButton } from "../../../parts/patient-button";
import { Button } from "../../../ui/button";

/** Asks on every page for another card while a renewal is unpaid; Stripe's page leads back to the page shown. */
export function PastDueBanner({ pastDue }: { pastDue: NonNullable<Me["past_due"]> }) {
  const { subscription: id, until } = pastDue;
  const { pathname, search } = useLocation();
  const portal = usePortal();
  const page = `${pathname.replace(/\/$/, "")}${search}`;
  return (
    <Banner label="Payment failed">
      <p className="min-w-0 flex-1 basis-64 text-pretty">
        <span>{textOf(until === null ? null : new Date(until), useNow())}</span>
        {portal.error && (
          <span role="alert" className="block text-destructive-text">
            {portal.error.message}
          </span>
        )}
      </p>
      <PatientButton
        variant="outline"
        size="sm"
        call={portal}
        doing="Opening Stripe…"
        onClick={() =>
          portal.mutate({ id, flow: "card", ...(dashboardPath.test(page) && { return_to: page }) })
        }
      >
        <CreditCard aria-hidden="true" />
        Update card
      </PatientButton>
    </Banner>
  );
}

/** Asks on every page for an address, once another account has confirmed the one that this account had only typed. */
export const NoAddressBanner = () => (
  <Banner label="No email address">
    <p className="min-w-0 flex-1 basis-64 text-pretty">
      Your email address belongs to another account. Enter yours, or a lost password can’t be replaced.
    </p>
    <Button asChild variant="outline" size="sm">
      <Link to="/dashboard/settings">Enter your address</Link>
    </Button>
  </Banner>
);

const Banner = ({ label, children }: { label: string; children: ReactNode }) => (
  <section aria-label={label} className="border-b border-warning/30 bg-warning/10 text-sm print:hidden">
    <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2 sm:px-6 lg:px-8">
      {children}
    </div>
  </section>
);

function textOf(until: Date | null, now: Date): string {
  if (until && until <= now)
    return "Your last payment failed, and your license has ended. Update your card to get it back.";
  return `Your last payment failed. Update your card ${until ? `by ${formatDay(until)} ` : ""}to keep your license.`;
}
