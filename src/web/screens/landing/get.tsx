import { useQuery } from "@tanstack/react-query";
import { Check, ChevronDown, Download, MonitorSmartphone } from "lucide-react";
import { Fragment, useEffect, useRef } from "react";
import { Link, useLocation } from "react-router";
import { sections } from "@/brand/sections";
import { products } from "@/brand/products";
import type { Offer } from "@/contract/wire/offers";
import { texts } from "@/contract/vocabulary/texts";
import { offerQuery, offersQuery } from "../../api/offers";
import { notOnSale } from "../../page/currency";
import { useNear } from "../../hooks/use-near";
import { offerByLink, wantedByLink } from "../../parts/offers/wanted-by-link";
import { ownOffer, Purchase } from "./purchase";
import { Section } from "./section";
import { SendLink } from "./send-link";

const { get } = sections;
type Card = (typeof products)[number];
type Free = Extract<Card, { price: string }>;
type Sold = Exclude<Card, Free>;
const columns =
  products.length === 3
    ? "lg:grid-cols-[1fr_1.25fr_1fr]"
    : "lg:auto-cols-[minmax(0,34rem)] lg:grid-flow-col lg:justify-center";

const unknownOffers = [ownOffer];

/** The products. Phones can't run them: there, what can be bought comes first, and downloads are left to a computer. */
export function Get() {
  const list = useRef<HTMLUListElement>(null);
  const near = useNear(list);
  const { search } = useLocation();
  // Offers may change while a page is open, and some add nothing to the visitor's account. Fetched only near the cards
  // or with a link to an order, so that most visits need no call.
  const link = offerByLink(search);
  const { data: listed = unknownOffers } = useQuery({
    ...offersQuery,
    enabled: near || link !== null || wantedByLink(search) !== null,
  });
  const { data: linked } = useQuery({ ...offerQuery(link ?? ""), enabled: link !== null });
  const unlisted = linked?.filter(({ id }) => listed.every((one) => one.id !== id)) ?? [];
  const offers = unlisted.length > 0 ? [...listed, ...unlisted] : listed;
  const isLinked = linked !== undefined;
  useEffect(() => {
    if (isLinked) list.current?.querySelector("[data-sale]")?.scrollIntoView({ block: "center" });
  }, [isLinked]);
  return (
    <Section id="get" title={get.title} lead={get.lead} className="get">
      <ul ref={list} className={`grid grid-cols-1 gap-6 ${columns} lg:items-start`}>
        {products.map((product) =>
          "price" in product ? (
            <FreeCard key={product.name} {...product} />
          ) : (
            <Fragment key={product.name}>
              <SoldCard {...product} offers={offers} isGone={linked?.length === 0} />
              <Revisit />
            </Fragment>
          ),
        )}
      </ul>
    </Section>
  );
}

function Revisit() {
  return (
    <li className="rounded-2xl border border-ring/30 bg-primary/10 p-6 max-sm:order-first sm:hidden">
      <MonitorSmartphone aria-hidden="true" className="size-6 text-link" />
      <p className="mt-3 text-lg leading-snug font-semibold text-balance">{texts.mobileNotice}</p>
      <SendLink />
      {products.length > 1 && (
        <details className="get-on-computer group mt-4 text-sm">
          <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 text-link underline underline-offset-4 [&::-webkit-details-marker]:hidden">
            <span>{get.onComputer}</span>
            <ChevronDown
              aria-hidden="true"
              className="size-4 shrink-0 transition-transform group-open:rotate-180"
            />
          </summary>
        </details>
      )}
    </li>
  );
}

const card = "relative flex min-w-0 flex-col gap-5 rounded-3xl border p-7 md:p-9";

type Sale = {
  offers: readonly Offer[];
  /** The offer that a link named isn't on sale. */
  isGone: boolean;
};

function SoldCard({ name, summary, facts, offers, isGone }: Sold & Sale) {
  return (
    <li className={`best-card max-sm:order-first ${card}`}>
      <Heading name={name} summary={summary} />
      <div data-sale="">
        {isGone && <p className="mb-4 text-sm text-soft">The offer in your link isn't on sale.</p>}
        {offers.length === 0 ? (
          <p>{notOnSale}</p>
        ) : (
          <>
            <Purchase offers={offers} />
            <Agreement />
          </>
        )}
      </div>
      <Facts facts={facts} className="border-t pt-6 sm:grid-cols-2" />
    </li>
  );
}

function FreeCard({ name, price, summary, facts, action }: Free) {
  return (
    <li className={`bg-card lg:my-10 ${card}`}>
      <Heading name={name} summary={summary} />
      <p className="text-4xl font-semibold tracking-tighter">{price}</p>
      <Facts facts={facts} />
      <div className="get-download">
        <a
          href={action.href}
          download
          className="inline-flex min-h-12 w-full items-center justify-center gap-2.5 rounded-full border border-veil/18 bg-veil/4 px-5 font-medium transition-colors hover:bg-veil/10"
        >
          <Download aria-hidden="true" className="size-4.5 shrink-0" />
          {action.label}
        </a>
      </div>
    </li>
  );
}

function Heading({ name, summary }: Pick<Card, "name" | "summary">) {
  return (
    <div>
      <h3 className="text-lg font-semibold tracking-tight">{name}</h3>
      {summary && <p className="mt-1 text-soft">{summary}</p>}
    </div>
  );
}

function Facts({ facts = [], className = "" }: { facts?: Card["facts"]; className?: string }) {
  if (facts.length === 0) return null;
  return (
    <ul className={`grid gap-x-6 gap-y-3 text-[0.9375rem] ${className}`}>
      {facts.map((fact) => (
        <li key={fact} className="flex gap-3">
          <Check aria-hidden="true" className="mt-1 size-4 shrink-0 text-link" />
          {fact}
        </li>
      ))}
    </ul>
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
