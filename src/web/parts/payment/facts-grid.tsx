import type { PurchaseResult } from "@/contract/wire/payments";
import { cn } from "../../lib/utils";
import { Skeleton } from "../../ui/skeleton";
import { CopyButton } from "../copy-button";
import { factsOf, isWholeKey } from "./facts";
import { KeyText } from "./key-text";

/** The payment's details, two per row. `keyless`: the key is shown above. */
export function FactsGrid(props: {
  payment: PurchaseResult | undefined;
  keyless: boolean;
  struckThrough: boolean;
  loading: boolean;
  /** The format of its time, if not that of the result page. */
  time?: ((at: Date) => string) | undefined;
}) {
  const { "License Key": key, ...others } = factsOf(props.payment, props.time);
  const facts = props.keyless ? others : { ...others, "License Key": key };
  return (
    <dl className="grid grid-cols-1 overflow-hidden rounded-lg border bg-well sm:grid-cols-2">
      {Object.entries(facts).map(([name, value]) => (
        <div
          key={name}
          className="flex min-h-18 min-w-0 flex-col justify-center gap-1 border-t px-4 py-3 first:border-t-0 sm:odd:border-r sm:last:odd:col-span-2 sm:last:odd:border-r-0 sm:nth-2:border-t-0"
        >
          <dt className="text-xs text-muted-foreground">{name}</dt>
          <dd className="flex min-h-6 items-center gap-1 text-sm">
            {props.loading ? (
              <Skeleton className="h-4 w-3/4" />
            ) : name === "License Key" ? (
              <Key text={value} struckThrough={props.struckThrough} />
            ) : name === "Transaction ID" && value.length > longest ? (
              <LongId text={value} />
            ) : (
              <span className={cn("break-all", name === "Transaction ID" && "font-mono text-xs")}>
                {value}
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Stripe's ids of what cost nothing are longer than anybody reads. */
const longest = 40;

function LongId({ text }: { text: string }) {
  return (
    <>
      <span title={text} className="min-w-0 truncate font-mono text-xs">
        {text}
      </span>
      <span className="-my-3 ml-auto">
        <CopyButton text={text} label="Copy transaction ID" />
      </span>
    </>
  );
}

function Key({ text, struckThrough }: { text: string; struckThrough: boolean }) {
  const copyable = isWholeKey(text) && text !== "-" && !struckThrough;
  return (
    <>
      <KeyText text={text} dead={struckThrough && text !== "-"} className="text-[0.8125rem]" />
      {copyable && (
        <span className="-my-3 ml-auto">
          <CopyButton text={text} label="Copy license key" />
        </span>
      )}
    </>
  );
}
