import { useQuery } from "@tanstack/react-query";
import { Check, Download, MonitorSmartphone } from "lucide-react";
import { useRef } from "react";
import { Link, useLocation } from "react-router";
import { brand } from "@/brand/brand";
import { landing } from "@/brand/landing";
import { products } from "@/brand/products";
import { offerText } from "@/contract/wire/offer-term";
import type { Offer } from "@/contract/wire/offers";
import { texts } from "@/contract/vocabulary/texts";
import { offersQuery } from "../../api/offers";
import { useHydrated } from "../../hooks/use-hydrated";
import { useNear } from "../../hooks/use-near";
import { offerPrice, ownAmount, pagePrice } from "../../page/currency";
import { useChosenOffer } from "../../parts/offers/chosen-offer";
import { orderInHistory } from "../../parts/offers/order-in-history";
import { wantedByLink } from "../../parts/offers/wanted-by-link";
import { Purchase } from "./purchase";
import { Section } from "./section";
import { SendLink } from "./send-link";

const { get } = landing;
type Product = (typeof products)[number];
/** Empty while unknown, which is rare, because the page as sent mostly contains the offers. */
type Offers = readonly Offer[];

/** The three products. Phones can't run them, so visitors on phones may buy there and are asked to download on a computer. */
export function Get() {
  const cards = useRef<HTMLUListElement>(null);
  const near = useNear(cards);
  const { search } = useLocation();
  // Offers may change while a page is open, and some add nothing to the visitor's account. Fetched only near the cards
  // or with a link to an order, so that most visits need no call.
  const { data: offers = [] } = useQuery({ ...offersQuery, enabled: near || wantedByLink(search) !== null });
  return (
    <Section id="get" title={get.title} lead={get.lead} className="get">
      <Revisit />
      <ul ref={cards} className="grid gap-6 lg:grid-cols-[1fr_1.25fr_1fr]">
        {products.map((product) => (
          <Card
            key={product.name}
            product={product}
            best={product.action.kind === "purchase"}
            offers={offers}
          />
        ))}
      </ul>
    </Section>
  );
}

function Revisit() {
  return (
    <div className="mb-8 rounded-2xl border border-ring/30 bg-primary/10 p-6 sm:hidden">
      <MonitorSmartphone aria-hidden="true" className="size-6 text-link" />
      <p className="mt-3 text-lg leading-snug font-semibold text-balance">{texts.mobileNotice}</p>
      <SendLink />
      <details className="get-on-computer mt-4 text-sm">
        <summary className="min-h-11 cursor-pointer py-3 text-link underline underline-offset-4">
          {get.onComputer}
        </summary>
      </details>
    </div>
  );
}

function Card({ product, best, offers }: { product: Product; best: boolean; offers: Offers }) {
  const { name, summary, facts } = product;
  const hydrated = useHydrated();
  const [chosen, choose] = useChosenOffer(offers, hydrated ? orderInHistory()?.offer : undefined);
  const { price, term } =
    "amount" in product ? { ...product, price: pagePrice(product.amount) } : premiumHead(chosen);
  return (
    <li
      className={`relative flex flex-col rounded-3xl border p-7 md:p-9 ${best ? "best-card lg:py-12" : "bg-card lg:my-10"}`}
    >
      <h3 className="text-lg font-semibold tracking-tight">{name}</h3>
      <p className="mt-4 flex items-baseline gap-3">
        <span className={`font-semibold tracking-tighter ${best ? "text-6xl" : "text-4xl"}`}>{price}</span>
        <span className="text-muted-foreground">{term}</span>
      </p>
      <p className="mt-3 text-soft">{summary}</p>
      <ul className={`mt-7 grid gap-x-6 gap-y-3 text-[0.9375rem] ${best ? "sm:grid-cols-2" : ""}`}>
        {facts.map((fact) => (
          <li key={fact} className="flex gap-3">
            <Check aria-hidden="true" className="mt-1 size-4 shrink-0 text-link" />
            {fact}
          </li>
        ))}
      </ul>
      <div className={`mt-auto pt-9 ${product.action.kind === "purchase" ? "" : "get-download"}`}>
        <Action {...product.action} offers={offers} chosen={chosen} onChoose={choose} />
      </div>
    </li>
  );
}

/** Falls back to the brand's own offer until the offers are known. */
const premiumHead = (offer: Offer | undefined) => ({
  price: offer ? offerPrice(offer) : pagePrice(ownAmount),
  term: offerText(offer ?? brand.offer),
});

type SellProps = { offers: Offers; chosen: Offer | undefined; onChoose: (id: string) => void };

function Action(action: Product["action"] & SellProps) {
  if (action.kind === "purchase")
    return (
      <>
        <Purchase {...action} />
        <Agreement />
      </>
    );
  return (
    <a
      href={action.href}
      download
      className="inline-flex h-12 w-full items-center justify-center gap-2.5 rounded-full border border-veil/18 bg-veil/4 px-5 font-medium transition-colors hover:bg-veil/10"
    >
      <Download aria-hidden="true" className="size-4.5" />
      {action.label}
    </a>
  );
}

function Agreement() {
  return (
    <p className="mt-4 text-center text-xs leading-relaxed text-muted-foreground">
      By purchasing you agree to the {legal("/tos", "Terms of Service")} and{" "}
      {legal("/refund-policy", "Refunds Policy")}; see the {legal("/privacy-policy", "Privacy Policy")}.
    </p>
  );
}

const legal = (to: string, name: string) => (
  <Link to={to} state={{ fromSite: true }} className="text-link underline underline-offset-4">
    {name}
  </Link>
);
