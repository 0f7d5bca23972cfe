import { ExternalLink, Gift } from "lucide-react";
import type { PurchaseResult } from "@/contract/payments";
import { cn } from "../../lib/utils";
import { CopyButton } from "../copy-button";
import { isWholeKey } from "./facts";
import { billLines, isPlainOrder } from "./order";

/** What the facts leave out: the bill, the invoice, the gift and further keys. */
export function OrderDetails({
  payment,
  struckThrough,
}: {
  payment: PurchaseResult;
  struckThrough: boolean;
}) {
  if (isPlainOrder(payment)) return null;
  const { gift, license_keys: keys, invoice_url } = payment;
  return (
    <>
      <Bill payment={payment} invoiceUrl={invoice_url} />
      {gift && <GiftFacts gift={gift} />}
      {keys.length > 1 && <Keys keys={keys} struckThrough={struckThrough} />}
    </>
  );
}

function Bill({ payment, invoiceUrl }: { payment: PurchaseResult; invoiceUrl: string | null }) {
  return (
    <section aria-label="Bill" className="rounded-lg border bg-black/20 px-4 py-3">
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
    <section aria-label="Gift" className="flex gap-3 rounded-lg border bg-black/20 px-4 py-3 text-sm">
      <Gift aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-link" />
      <div className="flex min-w-0 flex-col gap-1">
        <p className="wrap-anywhere">
          A gift for {gift.email || "somebody"}
          {gift.from && `, from ${gift.from}`}
        </p>
        {gift.message && (
          <p className="break-words whitespace-pre-line text-muted-foreground">{gift.message}</p>
        )}
      </div>
    </section>
  );
}

function Keys({ keys, struckThrough }: { keys: readonly string[]; struckThrough: boolean }) {
  const whole = keys.filter(isWholeKey);
  const Tag = struckThrough ? "s" : "span";
  return (
    <section aria-label="License keys" className="rounded-lg border bg-black/20">
      <div className="flex min-h-11 items-center justify-between gap-4 py-1 pr-1 pl-4">
        <h2 className="text-sm font-medium">{keys.length} license keys</h2>
        {whole.length > 1 && !struckThrough && (
          <CopyButton text={whole.join("\n")} label="Copy all license keys" />
        )}
      </div>
      <ol
        className="max-h-72 overflow-y-auto border-t outline-offset-[-2px]"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling area must be reachable by keyboard
        tabIndex={0}
        aria-label="License keys"
      >
        {keys.map((key, at) => (
          <li key={at} className="flex min-h-11 items-center gap-3 py-0.5 pr-1 pl-4 not-first:border-t">
            <span className="w-6 shrink-0 text-xs text-muted-foreground tabular-nums">{at + 1}</span>
            <Tag className="min-w-0 flex-1 font-mono text-[11px] break-all sm:text-[13px]">{key}</Tag>
            {isWholeKey(key) && !struckThrough && (
              <CopyButton text={key} label={`Copy license key ${at + 1}`} />
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
