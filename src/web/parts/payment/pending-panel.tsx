import type { PurchaseResult } from "@/contract/wire/payments";
import { useNow } from "../../hooks/use-now";
import { pendingFacts } from "./pending";

/** What is due, roughly when, and where the email goes, while the bank's transfer is under way. */
export function PendingPanel({ payment }: { payment: PurchaseResult }) {
  const facts = pendingFacts(payment, useNow());
  if (!facts) return null;
  return (
    <section
      aria-label="What happens next"
      className="flex flex-col gap-3 rounded-lg border border-warning/30 bg-warning/10 p-4 text-sm"
    >
      {payment.email && <p className="text-base font-medium">We&apos;ll email you</p>}
      <dl className="grid grid-cols-[5rem_1fr] gap-y-2">
        {facts.map(({ name, text }) => (
          <div key={name} className="contents">
            <dt className="text-muted-foreground">{name}</dt>
            <dd className="min-w-0 wrap-anywhere">{text}</dd>
          </div>
        ))}
      </dl>
      <p>You can close this page. Leave it open and it updates on its own.</p>
    </section>
  );
}
