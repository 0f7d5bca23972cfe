import { ExternalLink, Gift } from "lucide-react";
import type { PurchaseResult } from "@/contract/wire/payments";
import { cn } from "../../lib/utils";
import { billLines, isPlainOrder } from "./order";

/** What the facts leave out: the bill, the invoice and the gift. `whole` shows the bill of a plain order too. */
export function OrderDetails({ payment, whole }: { payment: PurchaseResult; whole: boolean }) {
  const { gift, invoice_url } = payment;
  if (!whole && isPlainOrder(payment)) return null;
  return (
    <>
      <Bill payment={payment} invoiceUrl={invoice_url} />
      {gift && <GiftFacts gift={gift} />}
    </>
  );
}

function Bill({ payment, invoiceUrl }: { payment: PurchaseResult; invoiceUrl: string | null }) {
  return (
    <section aria-label="Bill" className="rounded-lg border bg-well px-4 py-3">
      <dl className="flex flex-col gap-2 text-sm">
        {billLines(payment).map(({ name, amount, kind }) => (
          <div
            key={name}
            className={cn(
              "flex items-baseline justify-between gap-4",
              kind === "sum" && "border-t pt-2 font-semibold",
              kind === "aside" && "text-muted-foreground",
            )}
          >
            <dt className="min-w-0 break-words">{name}</dt>
            <dd className="shrink-0 tabular-nums">{amount}</dd>
          </div>
        ))}
      </dl>
      {invoiceUrl && (
        <a
          href={invoiceUrl}
          target="_blank"
          rel="noreferrer"
          className="-mb-2 inline-flex min-h-11 items-center gap-1.5 text-sm text-link underline-offset-4 hover:underline"
        >
          See the invoice
          <ExternalLink aria-hidden="true" className="size-3.5" />
        </a>
      )}
    </section>
  );
}

function GiftFacts({ gift }: { gift: NonNullable<PurchaseResult["gift"]> }) {
  return (
    <section aria-label="Gift" className="flex gap-3 rounded-lg border bg-well px-4 py-3 text-sm">
      <Gift aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-link" />
      <div className="flex min-w-0 flex-col gap-1">
        <p className="wrap-anywhere">
          {`A gift for ${gift.email || "someone"}${gift.from ? `, from ${gift.from}` : ""}`}
        </p>
        {gift.message && (
          <p className="break-words whitespace-pre-line text-muted-foreground">{gift.message}</p>
        )}
      </div>
    </section>
  );
}
