import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { useNow } from "../../../hooks/use-now";
import { type PastDue, pastDueSentence } from "../../../parts/licence/past-due";
import { PortalButton } from "../../../parts/licence/portal-button";
import { Button } from "../../../ui/button";

/** The account's own card says it there, with the same button. */
const saidThere = ["/dashboard", "/dashboard/license"];

/** Asks on every page for another card while a renewal is unpaid; Stripe's page leads back to the page shown. */
export function PastDueBanner({ pastDue }: { pastDue: PastDue }) {
  const { pathname } = useLocation();
  const now = useNow();
  if (saidThere.includes(pathname.replace(/\/$/, ""))) return null;
  return (
    <Banner label="Payment failed">
      <p className="min-w-0 flex-1 basis-64 text-pretty">{pastDueSentence(pastDue, now)}</p>
      <PortalButton size="sm" id={pastDue.subscription} action="card" />
    </Banner>
  );
}

/** Asks on every page for an address, once another account has confirmed the one that this account had only typed. */
export const NoAddressBanner = () => (
  <Banner label="No email address">
    <p className="min-w-0 flex-1 basis-64 text-pretty">
      Your email address belongs to another account. Enter yours, so that you can recover your account.
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
