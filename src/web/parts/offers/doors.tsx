import { type MouseEvent, Suspense, useMemo, useState } from "react";
import { Link, useLocation } from "react-router";
import type { Offer } from "@/contract/wire/offers";
import { useHydrated } from "../../hooks/use-hydrated";
import { late } from "../late";
import { isForSeveral } from "./chosen-offer";
import { type WantedByLink, wantedByLink } from "./wanted-by-link";

const OrderDialog = late(async () => (await import("./order-dialog")).OrderDialog);

/** The ways to buy for somebody else, or more than one key; and their dialog, which a link to the page opens too. */
export function Doors(props: {
  offers: readonly Offer[];
  /** The offer that is selected when the dialog opens. */
  first: Offer;
  place?: string;
}) {
  const { first, place = "" } = props;
  const { search } = useLocation();
  const hydrated = useHydrated();
  const linked = useMemo(() => (hydrated ? wantedByLink(search) : null), [hydrated, search]);
  const [asked, ask] = useState<{ wanted: WantedByLink; open: boolean }>();
  const offers = props.offers.filter(isForSeveral);
  const order = asked ?? (linked && { wanted: linked, open: true });
  // they stand in the page as it was sent
  if (hydrated && offers.length === 0) return null;
  const door = (to: string, wanted: WantedByLink, words: string) => (
    <Link
      to={to}
      className="inline-flex min-h-11 items-center text-link underline underline-offset-4"
      // before hydration, and in a tab of its own, the link opens the dialog
      onClick={(event: MouseEvent) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        ask({ wanted, open: true });
      }}
    >
      {words}
    </Link>
  );
  return (
    <>
      <p className={`flex flex-wrap gap-x-6 gap-y-2 text-sm ${place}`}>
        {door("/?gift", { gift: true, quantity: 1 }, "Send as a gift")}
        {door("/?quantity=2", { gift: false, quantity: 2 }, "Buy more than one")}
      </p>
      {order && (
        <Suspense>
          <OrderDialog
            open={order.open}
            onOpenChange={() => ask({ ...order, open: false })}
            offers={offers}
            first={first}
            wanted={order.wanted}
          />
        </Suspense>
      )}
    </>
  );
}
