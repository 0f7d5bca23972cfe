import { Link, useNavigate } from "react-router";
import { money } from "@/contract/money";
import type { Payment } from "@/contract/payments";
import { Hint } from "../../../parts/hint";
import { formatTime } from "../../../parts/format-time";
import { orderText } from "../../../parts/payment/order";
import { Badge } from "../../../ui/badge";
import { cn } from "../../../lib/utils";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "../../../ui/table";
import { looks, methodText, reasonOf, shortId, statusText } from "./payment-status";

/** `orders`: whether to show what was ordered, which most lists have no need of, since every row is the same. */
export function PaymentTable({ payments, orders }: { payments: readonly Payment[]; orders: boolean }) {
  return (
    <Table aria-label="Payments">
      <TableHeader>
        <TableRow>
          {["ID", "Status", "Payment Method", "License", ...(orders ? ["Order"] : []), "Created At"].map(
            (name) => (
              <TableHead key={name}>{name}</TableHead>
            ),
          )}
        </TableRow>
      </TableHeader>
      <TableBody>
        {payments.map((payment) => (
          <PaymentRow key={payment.id} payment={payment} order={orders} />
        ))}
      </TableBody>
    </Table>
  );
}

/** Clicking the row opens the transaction; for the keyboard, its ID is a link. */
function PaymentRow({ payment, order }: { payment: Payment; order: boolean }) {
  const navigate = useNavigate();
  const { payment_id: intent } = payment;
  const furtherKeys = (payment.license_keys?.length ?? 1) + (payment.more_keys ?? 0) - 1;
  const to = intent && `/dashboard/transaction?payment_intent=${encodeURIComponent(intent)}`;
  return (
    <TableRow
      className={cn(
        to && "cursor-pointer hover:bg-accent/40 @3xl:hover:bg-transparent @3xl:[&:hover>td]:bg-accent/50",
      )}
      onClick={to ? () => void navigate(to) : undefined}
    >
      <TableCell data-label="ID">
        {to ? (
          <Link
            to={to}
            title={payment.id}
            onClick={(event) => event.stopPropagation()}
            className="inline-flex min-h-11 items-center font-mono text-xs text-link underline-offset-4 hover:underline @3xl:min-h-0"
          >
            {shortId(payment.id)}
          </Link>
        ) : (
          <span className="font-mono text-xs">{shortId(payment.id)}</span>
        )}
      </TableCell>
      <TableCell data-label="Status">
        <Status payment={payment} />
      </TableCell>
      <TableCell data-label="Payment Method">{methodText(payment.payment_method)}</TableCell>
      <TableCell data-label="License">
        <span className="font-mono text-xs">{payment.license_key ?? "-"}</span>
        {order && furtherKeys > 0 && (
          <span className="ml-2 text-xs whitespace-nowrap text-muted-foreground">+{furtherKeys} more</span>
        )}
      </TableCell>
      {order && (
        <TableCell data-label="Order">
          <OrderCell payment={payment} />
        </TableCell>
      )}
      <TableCell data-label="Created At">{formatTime(new Date(payment.created_at))}</TableCell>
    </TableRow>
  );
}

function OrderCell({ payment }: { payment: Payment }) {
  const { paid, asked, off, tax, refunded, currency } = payment.bill;
  return (
    <span className="flex flex-col">
      {orderText(payment)}
      <span className="text-xs text-muted-foreground tabular-nums">
        {money(paid > 0 ? paid : asked - off + tax, currency)}
        {refunded > 0 && `, ${money(refunded, currency)} refunded`}
      </span>
    </span>
  );
}

function Status({ payment }: { payment: Payment }) {
  const { variant, icon: Icon } = looks[payment.status];
  const reason = reasonOf(payment);
  const badge = (
    <Badge variant={variant} data-status={payment.status}>
      <Icon aria-hidden="true" />
      {statusText(payment.status)}
    </Badge>
  );
  if (!reason) return badge;
  return (
    <Hint text={reason} className="rounded-full">
      {badge}
    </Hint>
  );
}
