import { CreditCard, KeyRound, LifeBuoy, type LucideIcon, ShoppingCart } from "lucide-react";
import { Fragment } from "react";
import { Link } from "react-router";
import type { Me } from "@/contract/wire/accounts";
import { LicenceCircle } from "../../../parts/licence/licence-circle";
import type { AccountStatus, StatusAction } from "../../../parts/licence/account-status";
import { CopyTextButton } from "../../../parts/copy-text-button";
import { Button } from "../../../ui/button";
import { Card, CardTitle } from "../../../ui/card";
import { cn } from "../../../lib/utils";
import { DownloadButton } from "../../../parts/licence/download-button";

type Props = { status: AccountStatus; user: Me };

/** The account's status, and what its owner can do now. */
export function StatusCard({ status, user }: Props) {
  const { kind, title, sentence, more, actions } = status;
  return (
    <Card
      aria-label="License status"
      className={cn("gap-4 lg:flex-row lg:items-center", kind === "ending" && "border-warning/40")}
    >
      <div className="flex min-w-0 flex-1 gap-4">
        <LicenceCircle kind={kind} />
        <div className="flex min-w-0 flex-1 flex-col justify-center gap-1.5">
          <CardTitle className="text-pretty">
            <Title parts={title} />
          </CardTitle>
          {sentence && (
            <p
              data-slot="sentence"
              className={cn("max-w-prose text-sm text-soft", kind === "ending" && "text-warning")}
            >
              {sentence}
            </p>
          )}
          {more.length > 0 && <More paragraphs={more} />}
        </div>
      </div>
      <div className="flex flex-wrap gap-3 empty:hidden *:grow sm:*:grow-0">
        {actions.map((action, at) => (
          <Action key={action} {...{ action, status, user }} first={at === 0} />
        ))}
      </div>
    </Card>
  );
}

/** `Wisp Premium · Active · until Dec 23, 2026`, which wraps between its parts. */
function Title({ parts }: { parts: readonly string[] }) {
  return parts.map((part, at) => (
    <Fragment key={part}>
      {at > 0 && <span className="text-muted-foreground"> · </span>}
      <span className={cn("inline-block max-w-full", at > 0 && "font-medium text-soft")}>{part}</span>
    </Fragment>
  ));
}

function More({ paragraphs }: { paragraphs: readonly string[] }) {
  return (
    <details className="text-sm text-soft">
      <summary className="inline-flex min-h-11 cursor-pointer items-center text-link underline underline-offset-4 md:min-h-6">
        What happens now
      </summary>
      {paragraphs.map((text) => (
        <p key={text} className="mt-2 max-w-prose">
          {text}
        </p>
      ))}
    </details>
  );
}

function Action({ action, first, status, user }: Props & { action: StatusAction; first: boolean }) {
  const variant = first ? "default" : "outline";
  if (action === "download") return <DownloadButton variant={variant} accountId={user.id} />;
  if (action === "copy")
    return status.key && <CopyTextButton variant={variant} text={status.key} label="Copy key" />;
  const [Icon, label, to] = linkOf(action, status);
  return (
    <Button asChild variant={variant} className={cn(action === "renew" && first && isRenewing(status))}>
      <Link to={to}>
        <Icon aria-hidden="true" />
        <span>{label}</span>
      </Link>
    </Button>
  );
}

/** Amber while there is still time. */
const isRenewing = ({ kind }: AccountStatus) =>
  kind === "ending" && "bg-warning text-background shadow-none hover:bg-warning/85";

function linkOf(
  action: Exclude<StatusAction, "download" | "copy">,
  { paymentId }: AccountStatus,
): [LucideIcon, string, string] {
  const payment = `/dashboard/transaction?payment_intent=${encodeURIComponent(paymentId ?? "")}`;
  const links: Record<typeof action, [LucideIcon, string, string]> = {
    renew: [ShoppingCart, "Renew", "/dashboard/license#buy"],
    buy: [ShoppingCart, "Buy", "/dashboard/license#buy"],
    again: [ShoppingCart, "Buy again", "/dashboard/license#buy"],
    redeem: [KeyRound, "Redeem a key", "/dashboard/license#redeem"],
    payment: [CreditCard, "See payment", payment],
    billing: [CreditCard, "Billing", "/dashboard/license#billing"],
    support: [LifeBuoy, "Ask support", "/dashboard/tickets"],
  };
  return links[action];
}
