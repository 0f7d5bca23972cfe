import { RotateCcw } from "lucide-react";
import { Link, useNavigate } from "react-router";
import { dueOf } from "@/contract/wire/bills";
import { money } from "@/contract/vocabulary/money";
import { ownWords, paymentWords } from "@/contract/vocabulary/state-words";
import { texts } from "@/contract/vocabulary/texts";
import type { Payment } from "@/contract/wire/payments";
import { Hint } from "../../../parts/hint";
import { formatTime } from "../../../parts/format-time";
import { CopyButton } from "../../../parts/copy-button";
import { isWholeKey } from "../../../parts/payment/facts";
import { KeyText } from "../../../parts/payment/key-text";
import { isUnusable } from "../../../parts/payment/keys";
import { orderText } from "../../../parts/payment/order";
import { StateBadge } from "../../../parts/state-badge";
import { cn } from "../../../lib/utils";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "../../../ui/table";
import { shortId } from "../../../parts/payment/short-id";

/** On a phone all rows of a payment are equally high, whether or not they can be pressed. */
const even = "min-h-12 gap-2";
/** In a table, what may take two lines does, so that no column is out of view. */
const wraps = `${even} @3xl:whitespace-normal`;

const columns = ["ID", "Status", "Payment Method", "License", "Order", "Created At"] as const;

export function PaymentTable({ payments }: { payments: readonly Payment[] }) {
  return (
    <Table aria-label="Payments">
      <TableHeader>
        <TableRow>
          {columns.map((name) => (
            <TableHead key={name} className="@max-5xl:whitespace-normal">
              {name}
            </TableHead>
          ))}
        </TableRow>
      </TableHeader>
      <TableBody>
        {payments.map((payment) => (
          <PaymentRow key={payment.id} payment={payment} />
        ))}
      </TableBody>
    </Table>
  );
}

/** Clicking the row opens the transaction; for the keyboard, its ID is a link. */
function PaymentRow({ payment }: { payment: Payment }) {
  const navigate = useNavigate();
  const { payment_id: intent } = payment;
  const to = intent && `/dashboard/transaction?payment_intent=${encodeURIComponent(intent)}`;
  return (
    <TableRow
      className={cn(
        to && "cursor-pointer hover:bg-accent/40 @3xl:hover:bg-transparent @3xl:[&:hover>td]:bg-accent/50",
      )}
      onClick={to ? () => void navigate(to) : undefined}
    >
      <TableCell className={even} data-label="ID">
        {to ? (
          <Link
            to={to}
            title={payment.id}
            onClick={(event) => event.stopPropagation()}
            className="-my-1 inline-flex min-h-11 items-center font-mono text-xs text-link underline-offset-4 hover:underline @3xl:min-h-0"
          >
            {shortId(payment.id)}
          </Link>
        ) : (
          <span className="font-mono text-xs">{shortId(payment.id)}</span>
        )}
      </TableCell>
      <TableCell className={even} data-label="Status">
        <Status payment={payment} />
      </TableCell>
      <TableCell className={even} data-label="Payment Method">
        {methodText(payment)}
      </TableCell>
      <TableCell className={even} data-label="License">
        <LicenceCell payment={payment} />
      </TableCell>
      <TableCell className={wraps} data-label="Order">
        {payment.bill ? <OrderCell payment={payment} /> : "-"}
      </TableCell>
      <TableCell className={wraps} data-label="Created At">
        {formatTime(new Date(payment.created_at))}
      </TableCell>
    </TableRow>
  );
}

/** The first key, and how many more there are. One that nobody can use is struck through, and can't be copied. */
function LicenceCell({ payment }: { payment: Payment }) {
  const { license_key: key, status } = payment;
  if (key === null) return "-";
  const dead = status === "disputed" || status === "refunded" || isUnusable(payment, 0);
  const furtherKeys = (payment.license_keys?.length ?? 1) + (payment.more_keys ?? 0) - 1;
  return (
    <span className="inline-flex min-w-0 items-center justify-end @3xl:gap-x-1">
      <span className="inline-flex min-w-0 items-center gap-x-1 @3xl:flex-col @3xl:items-start">
        <KeyText text={key} dead={dead} className="text-xs tracking-tight" />
        {furtherKeys > 0 && (
          <span className="text-xs whitespace-nowrap text-muted-foreground">+{furtherKeys} more</span>
        )}
      </span>
      {!dead && isWholeKey(key) && (
        <span className="-my-3 -mr-3 @3xl:mr-0">
          <CopyButton text={key} label="Copy license key" />
        </span>
      )}
    </span>
  );
}

function OrderCell({ payment }: { payment: Payment }) {
  const { paid, outside, refunded, currency } = payment.bill;
  return (
    <span className="flex min-w-0 flex-col wrap-anywhere @3xl:min-w-24">
      {orderText(payment)}
      <span className="text-xs text-muted-foreground tabular-nums">
        {`${money(paid || outside || dueOf(payment.bill), currency)}${
          refunded > 0 ? `, ${money(refunded, currency)} refunded` : ""
        }`}
      </span>
    </span>
  );
}

function Status({ payment }: { payment: Payment }) {
  const { status } = payment;
  const reason = reasonOf(payment);
  const icon = status === "refunded" ? RotateCcw : undefined;
  const badge = <StateBadge of={ownWords(paymentWords[status])} icon={icon} name={status} />;
  if (!reason) return badge;
  return (
    <Hint text={reason} className="-my-1 flex min-h-11 items-center rounded-full md:min-h-6">
      {badge}
    </Hint>
  );
}

/** The status's tooltip, or null. */
export function reasonOf({ status, failure_reason }: Payment) {
  return status === "succeeded" ? texts.paymentSucceeded : failure_reason;
}

/** Hides the provider's method ids, which mean nothing to people. */
export function methodText({ payment_method: method, bill }: Pick<Payment, "payment_method" | "bill">) {
  if (!method && bill && bill.outside > 0) return "Paid elsewhere";
  return !method || method.startsWith("pm_") ? "Unknown" : methodWords(method);
}

/** `us_bank_account` → `Us bank account`. */
function methodWords(method: string) {
  const words = method.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
