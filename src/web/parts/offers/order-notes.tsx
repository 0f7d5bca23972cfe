import { TicketPercent, TriangleAlert } from "lucide-react";
import type { Offer } from "@/contract/wire/offers";
import { promotionCode } from "./promotion-code";

/** Notes before paying: the promotion code in use, and a warning if the offer would add nothing. */
export function OrderNotes({ offer, code }: { offer: Offer; code: string | null }) {
  return (
    <>
      {code && (
        <div className="flex items-start gap-2.5 text-sm text-soft">
          <TicketPercent aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-link" />
          <p className="min-w-0 break-words">
            The code <strong className="font-semibold">{code}</strong> is checked when you buy.
          </p>
          <button
            type="button"
            aria-label="Remove code"
            onClick={(event) => {
              // on the landing page nothing else keeps the focus when its button disappears
              event.currentTarget.closest("li")?.querySelector("summary")?.focus();
              promotionCode.forget();
            }}
            className="-my-3 ml-auto min-h-11 shrink-0 px-1 sm:ml-0 text-link underline underline-offset-4"
          >
            Remove
          </button>
        </div>
      )}
      {offer.adds === false && (
        <p className="flex items-start gap-2.5 text-sm text-warning">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          <span>
            {`Your account already has a lifetime license, so this would add nothing to it.${
              offer.recurring === null ? " You can still buy it for somebody else." : ""
            }`}
          </span>
        </p>
      )}
    </>
  );
}
