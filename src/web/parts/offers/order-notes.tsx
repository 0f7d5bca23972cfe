import { TicketPercent, TriangleAlert } from "lucide-react";
import type { Offer } from "@/contract/offers";

/** Notes before paying: the promotion code in use, and a warning if the offer would add nothing. */
export function OrderNotes({ offer, code }: { offer: Offer; code: string | null }) {
  return (
    <>
      {code && (
        <p className="flex items-start gap-2.5 text-sm text-soft">
          <TicketPercent aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-link" />
          <span className="min-w-0 break-words">
            The code <strong className="font-semibold">{code}</strong> is checked when you buy.
          </span>
        </p>
      )}
      {offer.adds === false && (
        <p className="flex items-start gap-2.5 text-sm text-warning">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          Your account already has a lifetime license, so this would add nothing to it.
          {offer.recurring === null && " You can still buy it for somebody else."}
        </p>
      )}
    </>
  );
}
