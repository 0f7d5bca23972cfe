import type { PaymentDetails } from "@/contract/wire/desk/details";
import { money, signedMoney } from "@/contract/vocabulary/money";
import { paymentWords } from "@/contract/vocabulary/state-words";
import { Badge } from "../../../ui/badge";
import { DetailPage } from "../detail/detail-page";
import { detailScreen } from "../detail/detail-screen";
import { type Fact, fact, Facts, idFact, useLevelFact } from "../detail/facts";
import { Related } from "../detail/related";
import { withSpaces } from "../parts/format";
import { DeskLink } from "../parts/desk-link";
import { useMe } from "../parts/me";
import { OperationBar } from "../operation/operation-bar";
import { DecideCorrection, DecideRefund } from "../proposals/decide";
import { isUndecided } from "../proposals/decisions";
import { licenceColumns, refundColumns } from "../table/related-columns";
import { Status } from "../parts/status";
import { When } from "../parts/when";
import { DisputeCard } from "./dispute";
import { Emails } from "./emails";
import { paymentOperations } from "./operations";
import { priceOf } from "../parts/price";
import { totalOf } from "../parts/total";

/** A payment with its licences and refunds. */
export const Payment = detailScreen("payments", {
  kind: "Payment",
  nameOf: (payment) => `${totalOf(payment)}, ${payment.email ?? "no address"}`,
  page: (payment) => <Page payment={payment} />,
});

function Page({ payment }: { payment: PaymentDetails }) {
  const me = useMe();
  const { refund, others } = paymentOperations(me, payment);
  const renewed = isRenewal(payment) ? payment.subscription?.licence : null;
  return (
    <DetailPage
      list={{ to: "/desk/payments", name: "Payments" }}
      title={totalOf(payment)}
      badge={
        <>
          <Status of={payment.status} words={paymentWords} />
          {payment.fraud_warned_at !== null && <Badge tone="warning">Fraud warning</Badge>}
          {payment.mismatch !== null && <Badge tone="warning">Mismatch</Badge>}
        </>
      }
      operations={<OperationBar operations={[payment.dispute?.due == null && refund, ...others]} />}
      timeline={payment.timeline}
    >
      <DisputeCard payment={payment} refund={refund} />
      {payment.refunds.filter(isUndecided).map((refund) => (
        <DecideRefund key={refund.id} refund={refund} />
      ))}
      {payment.corrections.filter(isUndecided).map((correction) => (
        <DecideCorrection key={correction.id} correction={correction} />
      ))}
      <Facts title="Order" facts={orderFacts(payment, useLevelFact(payment))} />
      <Facts title="Bill" facts={billFacts(payment)} />
      <Related
        title="Licenses"
        columns={licenceColumns}
        rows={renewed ? [renewed] : payment.licences}
        to={({ id }) => `/desk/licences/${id}`}
        nameOf={({ key }) => key}
        {...(!renewed && { all: `/desk/licences?payment=${payment.id}` })}
      />
      <Emails payment={payment} />
      <Related
        title="Refunds"
        columns={refundColumns}
        rows={payment.refunds}
        to={() => null}
        nameOf={({ amount, currency }) => money(amount, currency)}
      />
    </DetailPage>
  );
}

/** Their status says it already. */
const wasPaid: ReadonlySet<string> = new Set(["succeeded", "refunded", "disputed"]);

/** A subscription has the id of its first payment. */
const isRenewal = ({ id, subscription }: PaymentDetails) => subscription !== null && subscription.id !== id;

function orderFacts(payment: PaymentDetails, level: Fact | null): (Fact | null)[] {
  const { subscription } = payment;
  const { country, tax_id: taxId } = payment.tax_facts;
  const customer = payment.customer ?? payment.redeemed_by ?? subscription?.customer ?? null;
  return [
    fact("Bought", payment.quantity > 1 ? `${payment.quantity} × ${payment.product}` : payment.product),
    level,
    fact("Buyer", payment.email ?? "No address", payment.email),
    customer && fact("Customer", <DeskLink to={`/desk/customers/${customer.id}`} name={customer.username} />),
    subscription &&
      fact(
        "Subscription",
        <DeskLink to={`/desk/subscriptions/${subscription.id}`} name={priceOf(subscription)} />,
      ),
    payment.gift && fact("Gift for", payment.gift.email, payment.gift.email),
    fact("Opened", <When at={payment.created_at} />),
    fact("Paid", <When at={payment.paid_at} none="Not paid" />),
    payment.method !== null ? fact("Method", methodText(payment)) : null,
    country === null ? null : fact("Buyer's country", countries.of(country) ?? country),
    taxId === null ? null : fact("Tax ID", taxId, taxId),
    payment.failure_reason !== null && !wasPaid.has(payment.status)
      ? fact("Reason", payment.failure_reason)
      : null,
    payment.mismatch !== null ? fact("Differs in", payment.mismatch) : null,
    idFact("Id", payment.id),
    ...stripeFacts(payment),
  ];
}

const countries = new Intl.DisplayNames("en", { type: "region" });

function methodText({ method, tax_facts: { card_brand: brand, card_last4: last4 } }: PaymentDetails): string {
  return last4 === null ? withSpaces(method ?? "") : `${withSpaces(brand ?? "card")} ending ${last4}`;
}

/** A renewal has an invoice, whose id it shows with the link to its page, in the place of a checkout session. */
function stripeFacts(payment: PaymentDetails): (Fact | null)[] {
  const { session_id, payment_id, invoice_url } = payment;
  const page = invoice_url !== null && (
    <a
      href={invoice_url}
      target="_blank"
      rel="noreferrer"
      className="text-link underline-offset-4 hover:underline"
    >
      At Stripe<span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
  const intent = payment_id !== null ? idFact("Payment intent", payment_id) : null;
  if (!isRenewal(payment)) {
    return [page ? fact("Invoice", page) : null, idFact("Checkout session", session_id), intent];
  }
  const named = (
    <span className="flex min-w-0 flex-wrap justify-end gap-x-2">
      {page}
      <span className="font-mono text-xs">{session_id}</span>
    </span>
  );
  return [fact("Invoice", named, session_id), intent];
}

function billFacts({
  bill,
  dispute,
  tax_facts: { fee, payout_at: payout },
}: PaymentDetails): (Fact | null)[] {
  const { credit, outside } = bill;
  const sum = (minor: number) => <span className="tabular-nums">{signedMoney(minor, bill.currency)}</span>;
  return [
    fact("Price", sum(bill.asked)),
    bill.off > 0 ? fact("Discount", sum(bill.off)) : null,
    bill.tax === 0 ? null : fact("Tax added", sum(bill.tax)),
    credit === 0 ? null : fact("Applied balance", sum(-credit)),
    outside === 0 ? null : fact("Paid elsewhere", sum(-outside)),
    bill.tax_included > 0 ? fact("Tax included", sum(bill.tax_included)) : null,
    fact("Paid", sum(bill.paid)),
    bill.refunded > 0 ? fact("Refunded", sum(bill.refunded)) : null,
    dispute?.status === "lost" && dispute.amount !== null && dispute.currency !== null
      ? fact(
          "Kept by the bank",
          <span className="tabular-nums">{signedMoney(dispute.amount, dispute.currency)}</span>,
        )
      : null,
    fee &&
      fact("Stripe's fee", <span className="tabular-nums">{signedMoney(fee.amount, fee.currency)}</span>),
    payout === null ? null : fact("Paid out", <When at={payout} />),
  ];
}
