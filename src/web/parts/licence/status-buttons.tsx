import { CreditCard, KeyRound, LifeBuoy, type LucideIcon, ShoppingCart } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { brand } from "@/brand/brand";
import type { Me } from "@/contract/wire/accounts";
import { pagePrice } from "../../page/currency";
import { Button } from "../../ui/button";
import { CopyToken } from "../account/copy-token";
import { CopyTextButton } from "../copy-text-button";
import { MailDownload } from "../mail-download";
import type { AccountStatus } from "./account-status";
import { DownloadButton } from "./download-button";
import { PortalButton } from "./portal-button";
import type { PlanAction, StatusAction } from "./status-action";

type Props = { status: AccountStatus; user: Me };

/** The first action in the primary colour, then the quiet ones. `without`: those that stand elsewhere on the page. */
export function StatusButtons(
  props: Props & {
    without?: readonly StatusAction[];
    /** Further buttons. */
    children?: ReactNode;
  },
) {
  const { status, user, without = [], children } = props;
  const { primary, quiet } = status;
  const all = primary === null ? quiet : [primary, ...quiet];
  return (
    <div className="flex flex-col gap-3 empty:hidden sm:flex-row sm:flex-wrap">
      {all
        .filter((one) => !without.includes(one))
        .map((action) => (
          <StatusButton key={action} action={action} first={action === primary} status={status} user={user} />
        ))}
      {children}
    </div>
  );
}

export function StatusButton({
  action,
  first,
  status,
  user,
}: Props & { action: StatusAction; first: boolean }) {
  const variant = first ? "default" : "outline";
  switch (action) {
    case "download":
      return <DownloadButton variant={variant} accountId={user.id} />;
    case "mail":
    case "link":
      return <MailDownload user={user} variant={variant} />;
    case "token":
      return (
        <CopyToken variant={variant} size="default" user={user}>
          Copy token
        </CopyToken>
      );
    case "key":
      return (
        status.licence && <CopyTextButton variant={variant} text={status.licence.key} label="Copy key" />
      );
    case "add":
    case "drop":
      // one stands beside its key, the other on the page of plans
      return null;
    case "renew":
    case "upgrade":
    case "buy":
    case "again":
    case "redeem":
    case "payment":
    case "support":
      return <ActionLink action={action} variant={variant} status={status} />;
    default:
      return (
        status.subscription && <PortalButton action={action} id={status.subscription} variant={variant} />
      );
  }
}

type Linked = Exclude<StatusAction, PlanAction | "add" | "download" | "mail" | "link" | "token" | "key">;

function ActionLink(props: { action: Linked; variant: "default" | "outline"; status: AccountStatus }) {
  const { offer, payment } = props.status;
  const buy = "/dashboard/license#buy";
  const links: Record<Linked, [LucideIcon, string, string]> = {
    renew: [ShoppingCart, "Renew", buy],
    upgrade: [
      ShoppingCart,
      `Upgrade to lifetime${offer ? ` · ${pagePrice(offer.amount, offer.currency)}` : ""}`,
      buy,
    ],
    buy: [ShoppingCart, `Buy ${offer?.level.name ?? brand.premium.name}`, buy],
    again: [ShoppingCart, "Buy again", buy],
    redeem: [KeyRound, "Redeem a key", "/dashboard/license#redeem"],
    payment: [
      CreditCard,
      "See the payment",
      `/dashboard/transaction?payment_intent=${encodeURIComponent(payment ?? "")}`,
    ],
    support: [LifeBuoy, "Ask support", "/dashboard/tickets"],
  };
  const [Icon, label, to] = links[props.action];
  return (
    <Button asChild variant={props.variant}>
      <Link to={to} state={to === buy && offer ? { offer: offer.id } : undefined}>
        <Icon aria-hidden="true" />
        <span>{label}</span>
      </Link>
    </Button>
  );
}
