import { CreditCard } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { dashboardPath } from "@/contract/vocabulary/page-marks";
import { usePortal } from "../../../api/subscriptions";
import { useNow } from "../../../hooks/use-now";
import { type PastDue, pastDueSentence } from "../../../parts/licence/past-due";
import { PatientButton } from "../../../parts/patient-button";
import { Button } from "../../../ui/button";

/** The account's own card says it there, with the same button. */
const saidThere = ["/dashboard", "/dashboard/license"];

/** Asks on every page for another card while a renewal is unpaid; Stripe's page leads back to the page shown. */
export function PastDueBanner({ pastDue }: { pastDue: PastDue }) {
  const { pathname, search } = useLocation();
  const path = pathname.replace(/\/$/, "");
  return saidThere.includes(path) ? null : <UpdateCard pastDue={pastDue} page={`${path}${search}`} />;
}

function UpdateCard({ pastDue, page }: { pastDue: PastDue; page: string }) {
  const { subscription: id } = pastDue;
  const portal = usePortal();
  return (
    <Banner label="Payment failed">
      <p className="min-w-0 flex-1 basis-64 text-pretty">
        <span>{pastDueSentence(pastDue, useNow())}</span>
        {portal.error && (
          <span role="alert" className="block text-destructive-text">
            {portal.error.message}
          </span>
        )}
      </p>
      <PatientButton
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
