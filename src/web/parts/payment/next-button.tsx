import type { ComponentProps } from "react";
import { Link } from "react-router";
import { brand } from "@/brand/brand";
import type { OrderAgain, PurchaseResult } from "@/contract/wire/payments";
import { Button, buttonVariants } from "../../ui/button";
import { CopyTextButton } from "../copy-text-button";
import { Press } from "../offers/press";
import { useCheckout } from "../offers/use-checkout";
import { PatientButton } from "../patient-button";
import { UseKeyButton } from "../use-key-button";
import type { useRedeemWithToast } from "../use-redeem-with-toast";
import { redeemPageWith, spareKey } from "./keys";
import type { NextAction } from "./next";

type Props = {
  action: NextAction;
  payment: PurchaseResult | undefined;
  problem: Error | null;
  signedIn: boolean;
  /** The page owns it, because it may replace the button before the answer arrives. */
  redeem: ReturnType<typeof useRedeemWithToast>;
  onRetry: () => void;
  variant: ComponentProps<typeof Button>["variant"];
};

/** What the reader of a payment's page can do next. */
export function NextButton({ action, payment, problem, signedIn, redeem, onRetry, variant }: Props) {
  const key = spareKey(payment);
  switch (action) {
    case "use":
      return key && <UseKeyButton redeem={redeem} licenceKey={key} />;
    case "again":
      return payment?.order_again && <OrderAnew payment={payment} order={payment.order_again} />;
    case "give":
      return (
        key &&
        payment && (
          <CopyTextButton
            variant={variant}
            size="lg"
            text={giftText(payment, key)}
            label="Copy gift message"
          />
        )
      );
    case "retry":
      return (
        <PatientButton
          size="lg"
          variant={variant}
          pending={false}
          doing="Trying…"
          problem={problem}
          onClick={onRetry}
        >
          Try again
        </PatientButton>
      );
    default: {
      const { label, to, state } = linkOf(action, { payment, key, signedIn });
      return (
        <Button asChild variant={variant} size="lg">
          {/^(https?|mailto):/.test(to) ? (
            <a href={to}>{label}</a>
          ) : (
            <Link to={to} state={state}>
              {label}
            </Link>
          )}
        </Button>
      );
    }
  }
}

type Linked = Exclude<NextAction, "use" | "again" | "give" | "retry">;
type Known = Pick<Props, "payment" | "signedIn"> & { key: string | null };

function linkOf(
  action: Linked,
  { payment, key, signedIn }: Known,
): { label: string; to: string; state?: unknown } {
  const links: Record<Linked, { label: string; to: string; state?: unknown }> = {
    register: { label: "Register", to: registerPage(key, payment) },
    "sign-in": {
      label: "I have an account",
      to: "/login",
      state: { from: key ? redeemPageWith(key) : "/dashboard/license" },
    },
    licences: { label: "Your licenses", to: "/dashboard/license" },
    return: { label: "Return to checkout", to: payment?.checkout_url ?? "" },
    buy: { label: "Order again", to: signedIn ? "/dashboard/license#buy" : "/#get" },
    card: { label: "Update card", to: "/dashboard/license#billing" },
    support: {
      label: "Write to support",
      to: signedIn ? "/dashboard/tickets?new" : mailTo(payment?.id ?? ""),
    },
    "find-order": { label: "Find your order", to: "/find-order" },
  };
  return links[action];
}

/** The registration page reads these and clears the URL at once. */
function registerPage(key: string | null, payment: PurchaseResult | undefined): string {
  if (!key) return "/register";
  const query = new URLSearchParams({ license_key: key });
  if (payment?.email) query.set("email", payment.email);
  return `/register?${query}`;
}

const mailTo = (id: string) =>
  `mailto:${brand.supportEmail}?subject=${encodeURIComponent(`Payment ${id}`.trim())}`;

/** For the buyer to send to somebody. */
const giftText = ({ offer_name: name }: PurchaseResult, key: string) =>
  `Here is ${name} for you. Register with this license key at ${location.origin}/register:\n${key}`;

/** Opens a new checkout for the same order; the tab keeps its promotion code. */
function OrderAnew({ payment: { currency, status }, order }: { payment: PurchaseResult; order: OrderAgain }) {
  const { open, opening, problem } = useCheckout();
  const { gift, without_trial: withoutTrial = false, ...rest } = order;
  const wanted = { currency, ...rest, ...(gift && { gift: withoutNull(gift) }) };
  const again = status === "Payment Canceled" ? "Order again" : "Try again";
  return (
    <>
      <Press
        label={withoutTrial ? "Subscribe without a trial" : again}
        doing="Opening checkout…"
        busy={opening}
        retryAt={problem?.retryAt}
        onClick={() => void open(wanted)}
        className={buttonVariants({ size: "lg" })}
      />
      {problem && problem.retryAt === undefined && (
        <p role="alert" className="order-last basis-full text-center text-sm text-destructive-text">
          {problem.problem}
        </p>
      )}
    </>
  );
}

const withoutNull = ({ email, from, message }: NonNullable<OrderAgain["gift"]>) => ({
  email,
  ...(from !== null && { from }),
  ...(message !== null && { message }),
});
