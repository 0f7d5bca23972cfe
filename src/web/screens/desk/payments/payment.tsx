import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import type { PaymentDetails } from "@/contract/desk/details";
import { money } from "@/contract/money";
import { detailsQuery } from "../../../api/desk/details";
import { Badge } from "../../../ui/badge";
import { DetailPage } from "../detail/detail-page";
import { Detailed } from "../detail/detailed";
import { type Fact, fact, Facts } from "../detail/facts";
import { Related } from "../detail/related";
import { useMe } from "../frame/me";
import { OperationBar } from "../operation/operation-bar";
import { useOpened } from "../palette/opened";
import { Decide } from "../refunds/decide";
import { licenceColumns, refundColumns } from "../related-columns";
import { Status } from "../status";
import { When } from "../when";
import { paymentOperations } from "./operations";
import { totalOf } from "./total";

/** A payment with its licences and refunds. */
export function Payment() {
  const { id = "" } = useParams();
  const query = useQuery(detailsQuery("payments", id));
  const { data } = query;
  useOpened(
    data
      ? {
          to: `/desk/payments/${id}`,
          name: `${totalOf(data)}, ${data.email ?? "no address"}`,
          kind: "Payment",
        }
      : null,
  );
  return <Detailed query={query}>{(payment) => <Page key={id} payment={payment} />}</Detailed>;
}

function Page({ payment }: { payment: PaymentDetails }) {
  const { role } = useMe();
  const proposals = payment.refunds.filter(({ state }) => state === "proposed");
  return (
    <DetailPage
      list={{ to: "/desk/payments", name: "Payments" }}
      title={totalOf(payment)}
      badge={
        <>
          <Status of={payment.status} />
          {payment.fraud_warned_at !== null && <Badge variant="warning">Fraud warning</Badge>}
          {payment.mismatch !== null && <Badge variant="warning">Mismatch</Badge>}
        </>
      }
      operations={<OperationBar operations={paymentOperations(role, payment)} />}
      timeline={payment.timeline}
      currency={payment.bill.currency}
    >
      {proposals.map((refund) => (
        <Decide key={refund.id} refund={refund} />
      ))}
      <Facts title="Order" facts={orderFacts(payment)} />
      <Facts title="Bill" facts={billFacts(payment)} />
      {payment.dispute && <Facts title="Dispute" facts={disputeFacts(payment.dispute)} />}
      <Related
        title="Licences"
        columns={licenceColumns}
        rows={payment.licences}
        to={({ id }) => `/desk/licences/${id}`}
        nameOf={({ key }) => key}
        all={`/desk/licences?payment=${payment.id}`}
      />
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

const mono = (text: string) => <span className="font-mono text-xs">{text}</span>;

const orderFacts = (payment: PaymentDetails): (Fact | null)[] => [
  fact("Buyer", payment.email ?? "No address", payment.email),
  payment.customer &&
    fact(
      "Customer",
      <Link
        to={`/desk/customers/${payment.customer.id}`}
        className="text-link underline-offset-4 hover:underline"
      >
        {payment.customer.username}
      </Link>,
    ),
  fact("Offer", payment.quantity > 1 ? `${payment.quantity} × ${payment.offer}` : payment.offer),
  payment.gift && fact("Gift for", payment.gift.email, payment.gift.email),
  fact("Opened", <When at={payment.created_at} />),
  fact("Paid", <When at={payment.paid_at} none="Not paid" />),
  payment.method !== null ? fact("Method", payment.method) : null,
  payment.failure_reason !== null ? fact("Why it failed", payment.failure_reason) : null,
  payment.mismatch !== null ? fact("Differs in", payment.mismatch) : null,
  payment.invoice_url !== null
    ? fact(
        "Invoice",
        <a
          href={payment.invoice_url}
          target="_blank"
          rel="noreferrer"
          className="text-link underline-offset-4 hover:underline"
        >
          At Stripe<span className="sr-only"> (opens in a new tab)</span>
        </a>,
      )
    : null,
  fact("Id", mono(payment.id), payment.id),
  fact("Checkout session", mono(payment.session_id), payment.session_id),
  payment.payment_id !== null ? fact("Payment intent", mono(payment.payment_id), payment.payment_id) : null,
];

function billFacts({ bill }: PaymentDetails): (Fact | null)[] {
  const sum = (minor: number) => <span className="tabular-nums">{money(minor, bill.currency)}</span>;
  return [
    fact("Price", sum(bill.asked)),
    bill.off > 0 ? fact("Taken off", sum(bill.off)) : null,
    bill.tax > 0 ? fact("Tax added", sum(bill.tax)) : null,
    bill.tax_included > 0 ? fact("Tax within", sum(bill.tax_included)) : null,
    fact("Paid", sum(bill.paid)),
    bill.refunded > 0 ? fact("Refunded", sum(bill.refunded)) : null,
  ];
}

const disputeFacts = (dispute: NonNullable<PaymentDetails["dispute"]>): (Fact | null)[] => [
  fact("State at Stripe", dispute.status),
  dispute.reason !== null ? fact("Reason", dispute.reason) : null,
  dispute.amount !== null && dispute.currency !== null
    ? fact("Amount", money(dispute.amount, dispute.currency))
    : null,
  fact("Since", <When at={dispute.since} none="An inquiry" />),
  fact("Evidence due", <When at={dispute.due} none="Not awaited" />),
];
