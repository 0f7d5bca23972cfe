import type { PurchaseResult } from "@/contract/wire/payments";
import { CopyButton } from "../copy-button";
import { isWholeKey } from "./facts";
import { KeyText } from "./key-text";
import { isRedeemed, isUnusable } from "./keys";

type Props = { payment: PurchaseResult; struckThrough: boolean; mailed: string | null };

/** The keys of an order with several. Unusable ones are struck through, and can't be copied. */
export function KeyList({ payment, struckThrough, mailed }: Props) {
  const { license_keys: keys } = payment;
  const isDead = (at: number) => struckThrough || isUnusable(payment, at);
  const whole = keys.filter((key, at) => isWholeKey(key) && !isDead(at) && !isRedeemed(payment, at));
  return (
    <section aria-label="License keys" className="rounded-lg border bg-well">
      <div className="flex min-h-11 items-center justify-between gap-4 px-3 py-2 sm:px-4">
        <div className="min-w-0">
          <h2 className="text-sm font-medium">{keys.length} license keys</h2>
          {mailed && <p className="text-sm text-soft wrap-anywhere">{mailed}</p>}
        </div>
        {whole.length > 1 && (
          <CopyButton words="Copy all" text={whole.join("\n")} label="Copy all license keys" />
        )}
      </div>
      <ol
        className="max-h-56 sm:max-h-72 overflow-y-auto border-t outline-offset-[-2px]"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling area must be reachable by keyboard
        tabIndex={0}
        aria-label="License keys"
      >
        {keys.map((key, at) => (
          <li
            key={at}
            className="flex min-h-11 items-center gap-2 py-0.5 pr-0 pl-3 not-first:border-t sm:gap-3 sm:pr-1 sm:pl-4"
          >
            <span className="min-w-5 shrink-0 text-xs text-muted-foreground tabular-nums">{at + 1}</span>
            <KeyText text={key} dead={isDead(at)} className="min-w-0 flex-1 text-[0.8125rem]" />
            {isRedeemed(payment, at) && <span className="pr-3 text-xs text-muted-foreground">Redeemed</span>}
            {isWholeKey(key) && !isDead(at) && !isRedeemed(payment, at) && (
              <CopyButton text={key} label={`Copy license key ${at + 1}`} />
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
