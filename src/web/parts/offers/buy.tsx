import { type ReactNode, useId, useState } from "react";
import { brand } from "@/brand/brand";
import { products } from "@/brand/products";
import type { Offer } from "@/contract/wire/offers";
import { useHydrated } from "../../hooks/use-hydrated";
import { pagePrice } from "../../page/currency";
import { actText, chargeSentence, loweredCharges, priceTail, purchaseTextOf } from "./charge";
import { CodeLine } from "./code-line";
import { OfferChoice } from "./offer-choice";
import { Press } from "./press";
import type { Sale } from "./use-sale";

type Props = {
  sale: Sale;
  offers: readonly Offer[];
  onChoose: (id: string) => void;
  /** What the button says where one payment buys it, if not the product's own words. */
  purchase?: string | undefined;
  look: { button: string; price: string; foot?: string };
  /** The form that the button sends, and its fields, which show their own mistakes. */
  form?: { id: string; fields: readonly string[] };
  /** Named beside the price, instead of how long it lasts. */
  what?: string;
  children?: ReactNode;
};

/** Wherever something is sold: the choice, the price with a code, a sentence about the charge, and a button that names the act. */
export function Buy({
  sale,
  offers,
  onChoose,
  purchase = purchaseTextOf(sale.offer, purchaseText),
  look,
  form,
  what,
  children,
}: Props) {
  const { offer, quantity, opening } = sale;
  const [now] = useState(() => new Date());
  const hydrated = useHydrated();
  const saidBy = useId();
  const { checked } = sale.code;
  const code = loweredCharges(offer, checked, now) > 0 ? checked : undefined;
  const problem = sale.problem && !form?.fields.includes(sale.problem.field ?? "") ? sale.problem : undefined;
  const isSaid = problem !== undefined && problem.retryAt === undefined;
  return (
    <>
      {(offers.length > 1 || offer.level.id !== brand.premium.type) && (
        <OfferChoice offers={offers} chosen={offer} onChoose={onChoose} />
      )}
      {children}
      <div className={`flex flex-col gap-3 ${look.foot ?? ""}`}>
        <output className="flex flex-wrap items-baseline gap-x-3">
          {code && (
            <del className="text-muted-foreground">
              <span className="sr-only">Before: </span>
              <span>{pagePrice(code.amount + code.off, offer.currency)}</span>
            </del>
          )}
          <span className={`font-semibold tracking-tight tabular-nums ${look.price}`}>
            {quantity === null ? "-" : pagePrice(code?.amount ?? offer.amount * quantity, offer.currency)}
          </span>
          <span className="min-w-0 wrap-anywhere text-muted-foreground max-sm:basis-full">
            {what ?? priceTail(offer, code, now)}
          </span>
        </output>
        <CodeLine sale={sale} />
        {/* room for the longest of them, so that another choice doesn't move the button */}
        <p className={`text-sm text-soft ${offers.length > 1 ? "min-h-10" : ""}`}>
          {quantity !== null && (
            <span>{chargeSentence(offer, { quantity, code, now: hydrated ? now : null })}</span>
          )}
        </p>
        <Press
          {...(form ? { type: "submit", form: form.id } : { onClick: () => void sale.open() })}
          label={actText(offer, purchase)}
          doing="Opening checkout…"
          busy={opening}
          retryAt={problem?.retryAt}
          aria-describedby={isSaid ? saidBy : undefined}
          className={look.button}
        />
        {isSaid && (
          <p id={saidBy} role="alert" className="text-sm text-destructive-text">
            {problem.problem}
          </p>
        )}
      </div>
    </>
  );
}

const purchaseText =
  products.flatMap(({ action }) => (action.kind === "purchase" ? [action.label] : []))[0] ?? "";
