import { brand } from "@/brand/brand";
import type { PaymentAnswer } from "../../../api/payments";
import { formatTime } from "../../../parts/format-time";
import { Mark } from "../../../parts/mark";
import { factsOf } from "../../../parts/payment/facts";
import { billLines, boughtText, isPlainOrder } from "../../../parts/payment/order";
import { titleOf } from "../../../parts/payment/outcome";
import { Seller } from "./seller";

/** The payment's printed receipt: shown only on paper, and without the key. */
export function Receipt({ answer }: { answer: PaymentAnswer }) {
  const facts = factsOf(answer.data, formatTime);
  const lines = {
    "Transaction ID": facts["Transaction ID"],
    "Created At": facts["Created At"],
    Status: titleOf(answer),
    "Customer Email": facts["Customer Email"],
  };
  return (
    <article aria-label="Receipt" className="print-alone hidden p-8 print:block">
      <header className="flex items-center gap-3 border-b border-black/20 pb-4">
        <Mark className="size-8" />
        <div className="flex flex-col">
          <strong>{brand.product}</strong>
          <span className="text-xs">{brand.supportEmail}</span>
        </div>
        <span className="ml-auto text-2xl font-semibold">Receipt</span>
      </header>
      <dl className="grid grid-cols-[10rem_1fr] gap-y-2 py-6 text-sm">
        {Object.entries(lines).map(([name, value]) => (
          <div key={name} className="contents">
            <dt>{name}</dt>
            <dd className="break-all">{value}</dd>
          </div>
        ))}
      </dl>
      {isPlainOrder(answer.data) ? (
        <p className="flex justify-between border-y border-black/20 py-3 font-semibold">
          <span>{boughtText(answer.data)}</span>
          <span>{facts.Amount}</span>
        </p>
      ) : (
        <dl className="flex flex-col gap-1 border-y border-black/20 py-3">
          {billLines(answer.data).map(({ name, amount, kind }) => (
            <div
              key={name}
              className={kind === "sum" ? "flex justify-between font-semibold" : "flex justify-between"}
            >
              <dt>{name}</dt>
              <dd>{amount}</dd>
            </div>
          ))}
        </dl>
      )}
      <p className="pt-3 text-xs">{answer.data.message}</p>
      <Seller lines={answer.data.seller} className="pt-3" />
    </article>
  );
}
