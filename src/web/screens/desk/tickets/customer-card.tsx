import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { grantLicence, resetCustomerDevice } from "@/contract/operations/customers";
import { extendLicence } from "@/contract/operations/licences";
import { refundPayment, resendReceipt } from "@/contract/operations/payments";
import type { Declaration } from "@/contract/operations/operation";
import { licenceWords, paymentWords, subscriptionWords } from "@/contract/vocabulary/state-words";
import type { CustomerDetails } from "@/contract/wire/desk/details";
import type { SubscriptionRow } from "@/contract/wire/desk/rows";
import { formatDayOf } from "../../../parts/format-time";
import { detailsQuery } from "../../../api/desk/details";
import { Loaded } from "../../../parts/loaded";
import { RowsSkeleton } from "../../../parts/rows-skeleton";
import { Badge } from "../../../ui/badge";
import { Card, CardTitle } from "../../../ui/card";
import { customerOperations } from "../customers/operations";
import { licenceOperations } from "../licences/operations";
import { RowOperations } from "../operation/row-operations";
import type { OfferedOperations } from "../operation/use-allowed";
import { levelChoices, useHasLevels, useLevels } from "../parts/levels";
import { useMe } from "../parts/me";
import { useOffers } from "../parts/offers";
import { paymentOperations } from "../payments/operations";
import { isUndecided, refundInWords } from "../proposals/decisions";
import { totalOf } from "../parts/total";
import { priceOf } from "../parts/price";
import { Status } from "../parts/status";
import { When } from "../parts/when";

/** The most of each that fit on the card. */
const shown = 3;

/** The customer of a ticket: their account, newest licences, payments and computers. */
export function CustomerCard({ id }: { id: string }) {
  const query = useQuery(detailsQuery("customers", id));
  const hasLevels = useHasLevels();
  return (
    <Card aria-label="Customer" className="gap-4">
      <CardTitle>Customer</CardTitle>
      <Loaded query={query} skeleton={<RowsSkeleton rows={3} />}>
        {(customer) => (
          <>
            <div className="flex flex-col gap-1 text-sm">
              <p className="flex flex-wrap items-center gap-2">
                <Link
                  to={`/desk/customers/${id}`}
                  className="inline-flex min-h-11 items-center font-medium text-link underline-offset-4 hover:underline md:min-h-0"
                >
                  {customer.username}
                </Link>
                {customer.active_license && <Badge tone="good">Active license</Badge>}
              </p>
              <p className="text-muted-foreground wrap-anywhere">{customer.email}</p>
              <p className="text-xs text-muted-foreground">
                Registered <When at={customer.created_at} />
              </p>
            </div>
            <Help customer={customer} />
            <Rows
              name="Licenses"
              rows={customer.licences.slice(0, shown).map((licence) => ({
                id: licence.id,
                to: `/desk/licences/${licence.id}`,
                text: `${licence.key}${hasLevels ? `, ${licence.level.name}` : ""}${licence.expires_at ? `, ends ${formatDayOf(licence.expires_at)}` : ""}`,
                status: <Status of={licence.status} words={licenceWords} />,
              }))}
            />
            <Rows
              name="Subscriptions"
              rows={customer.subscriptions.slice(0, shown).map((one) => ({
                id: one.id,
                to: `/desk/subscriptions/${one.id}`,
                text: `${priceOf(one)}${nextOf(one)}`,
                status: <Status of={one.status} words={subscriptionWords} />,
              }))}
            />
            <Rows
              name="Payments"
              rows={customer.payments.slice(0, shown).map((payment) => ({
                id: payment.id,
                to: `/desk/payments/${payment.id}`,
                text: `${totalOf(payment)}, ${formatDayOf(payment.created_at)}`,
                status: <Status of={payment.status} words={paymentWords} />,
              }))}
            />
            {customer.devices.length > 0 && (
              <section aria-label="Computers" className="flex flex-col gap-1 text-sm">
                <h3 className="text-xs text-muted-foreground">Computers</h3>
                {customer.devices.slice(0, shown).map(({ id: device, label, os, last_seen_at }) => (
                  <p key={device} className="wrap-anywhere">
                    {label} <span className="text-muted-foreground">{os}</span>, <When at={last_seen_at} />
                  </p>
                ))}
              </section>
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
}

/** Of somebody in Discord who linked no account, or whose account is erased. */
export const NoAccount = () => (
  <Card aria-label="Customer" className="gap-3">
    <CardTitle>Customer</CardTitle>
    <p className="text-sm text-muted-foreground">
      No account is linked to this ticket. Search for an email, card, key, or name they give you.
    </p>
  </Card>
);

/** What most customers who write need; the rest is on the pages of the customer and their things. */
const helping: readonly Declaration[] = [
  resetCustomerDevice,
  resendReceipt,
  extendLicence,
  grantLicence,
  refundPayment,
];

const helps = (offered: OfferedOperations) => offered.filter((one) => one && helping.includes(one.declared));

/** The same operations as on those pages: of the licences, the newest that can be extended, and the newest payment. */
function Help({ customer }: { customer: CustomerDetails }) {
  const me = useMe();
  const offers = useOffers();
  const levels = levelChoices(useLevels());
  const paid = customer.payments.find(({ status }) => status === "succeeded");
  const { data: payment } = useQuery({
    ...detailsQuery("payments", paid?.id ?? ""),
    enabled: paid !== undefined,
  });
  const [extend] = customer.licences.flatMap((licence) => helps(licenceOperations(me, licence)));
  const asked = payment?.refunds.find(isUndecided);
  return (
    <>
      <RowOperations
        about={`for ${customer.username}`}
        operations={[
          ...helps(customerOperations(customer, offers, levels)),
          extend ?? null,
          ...(payment ? helps(everyOperation(paymentOperations(me, payment))) : []),
        ]}
      />
      {asked && (
        <p className="text-sm text-muted-foreground wrap-anywhere">
          A refund of {refundInWords(asked)} is waiting for an owner.
        </p>
      )}
    </>
  );
}

const everyOperation = ({ refund, others }: ReturnType<typeof paymentOperations>): OfferedOperations => [
  refund,
  ...others,
];

function nextOf({ renews_at: renews, ends_at: ends, status }: SubscriptionRow): string {
  if (renews) return `, renews ${formatDayOf(renews)}`;
  return ends ? `, ${status === "ended" ? "ended" : "ends"} ${formatDayOf(ends)}` : "";
}

type Row = { id: string; to: string; text: string; status: ReactNode };

function Rows({ name, rows }: { name: string; rows: Row[] }) {
  if (rows.length === 0) return null;
  return (
    <section aria-label={name} className="flex flex-col text-sm md:gap-2">
      <h3 className="text-xs text-muted-foreground">{name}</h3>
      {rows.map(({ id, to, text, status }) => (
        <p key={id} className="flex items-center justify-between gap-2">
          <Link
            to={to}
            className="inline-flex min-h-11 min-w-0 items-center wrap-anywhere text-link underline-offset-4 hover:underline md:min-h-0"
          >
            {text}
          </Link>
          {status}
        </p>
      ))}
    </section>
  );
}
