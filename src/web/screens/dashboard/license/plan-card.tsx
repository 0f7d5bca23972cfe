import type { ReactNode } from "react";
import { brand } from "@/brand/brand";
import type { Me } from "@/contract/wire/accounts";
import type { Subscription } from "@/contract/wire/subscriptions";
import { CopyButton } from "../../../parts/copy-button";
import type { AccountStatus } from "../../../parts/licence/account-status";
import { PortalButton } from "../../../parts/licence/portal-button";
import { StatusButtons } from "../../../parts/licence/status-buttons";
import { StatusHead } from "../../../parts/licence/status-head";
import { cardText } from "../../../parts/licence/subscription-words";
import type { Standing } from "../../../parts/licence/use-account-status";
import { formatDayOf } from "../../../parts/format-time";
import { Card } from "../../../ui/card";
import { DropButton } from "./drop-button";

type Props = {
  status: AccountStatus;
  known: Standing["known"];
  user: Me;
  label: string;
  id: string | undefined;
  /** What stands beside it on the page. */
  without?: AccountStatus["quiet"];
  children?: ReactNode;
};

/** A licence as a plan: where it stands, its key, what is charged next to which card, and what can be done about it. */
export function PlanCard({ status, known, user, label, id, without = [], children }: Props) {
  const { licence, billing } = status;
  const subscription = known.subscriptions.find((one) => one.id === status.subscription);
  const nameOf = (offer: string | null | undefined) => known.offers.find((one) => one.id === offer)?.name;
  const plan = nameOf(subscription?.offer);
  const card = subscription && cardText(subscription);
  const change = subscription && changeText(subscription, nameOf(subscription.changes_to));
  const level = licence?.level.name ?? brand.premium.name;
  const keeps = subscription && billing.includes("cancel") && keepText(subscription, level);
  return (
    <Card id={id} aria-label={label}>
      <StatusHead status={status} />
      {children}
      <dl className="flex flex-wrap gap-x-12 gap-y-3 border-t pt-4 text-sm empty:hidden">
        {plan && plan !== level && <Fact name="Plan">{plan}</Fact>}
        {licence && (
          <Fact name="Key">
            <span className="min-w-0 font-mono text-[0.8125rem] wrap-anywhere">{licence.key}</span>
            <CopyButton text={licence.key} label="Copy your license key" />
          </Fact>
        )}
        {card && <Fact name="Card">{card}</Fact>}
        {change && <Fact name="Next">{change}</Fact>}
      </dl>
      {/* the key stands above, with its own button */}
      <StatusButtons status={status} user={user} without={["key", ...without]} />
      {status.subscription && billing.length > 0 && (
        <Billing id={status.subscription} actions={billing}>
          {keeps && <p className="mb-2 w-full text-sm text-muted-foreground">{keeps}</p>}
        </Billing>
      )}
    </Card>
  );
}

type BillingProps = { id: string; actions: AccountStatus["billing"]; children: ReactNode };

const Billing = ({ id, actions, children }: BillingProps) => (
  <div className="-my-2 flex flex-wrap items-center gap-x-6">
    {actions.map((action) =>
      action === "drop" ? (
        <DropButton key={action} variant="link" className="px-0" id={id} />
      ) : (
        <PortalButton key={action} variant="link" className="px-0" id={id} action={action} />
      ),
    )}
    {children}
  </div>
);

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex max-w-full min-w-0 flex-col gap-0.5">
    <dt className="text-muted-foreground">{name}</dt>
    <dd className="flex min-h-9 min-w-0 items-center gap-1 wrap-break-word">{children}</dd>
  </div>
);

/** What it changes to, if the customer switched to a cheaper or shorter offer. */
const changeText = ({ changes_at: at }: Subscription, to: string | undefined): string | null =>
  at === null ? null : `Changes to ${to ?? "another plan"} on ${formatDayOf(at)}.`;

/** What its customer keeps if they cancel now; null where nothing is charged anyway. */
const keepText = ({ status, renews_at: until }: Subscription, level: string): string | null =>
  until === null || (status !== "active" && status !== "trialing")
    ? null
    : `You can cancel any time, and keep ${level} until ${formatDayOf(until)}.`;
