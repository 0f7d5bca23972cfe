import { ArrowRight } from "lucide-react";
import { Link } from "react-router";
import { brand } from "@/brand/brand";
import { heroPicture } from "@/brand/hero-picture";
import { landing } from "@/brand/landing";
import { firstPrice } from "../../page/currency";
import { isWithout } from "../../page/without";
import { BrandPicture } from "../../parts/brand-picture";
import { Window } from "./window";

/** The product, its price and a picture. */
export function Hero() {
  const { lead, action, commands, facts } = landing.hero;
  return (
    <section aria-labelledby="hero-title" className="hero relative isolate pt-28 md:pt-36">
      <div className="site-width">
        <h1 id="hero-title" className="max-w-[16ch] text-hero font-semibold text-balance">
          {brand.tagline ?? brand.product}
        </h1>
        <div className="mt-8 flex flex-col gap-8 md:mt-10 lg:flex-row lg:items-end lg:justify-between lg:gap-16">
          {lead && (
            <p className="max-w-[34rem] text-lg leading-relaxed text-pretty text-soft md:text-xl">{lead}</p>
          )}
          <div className="flex flex-wrap items-center gap-x-7 gap-y-3 lg:shrink-0">
            <p className="w-full text-lg font-semibold">{firstPrice}</p>
            {!isWithout("sale") && (
              <a href="#get" data-needs="sale" className="button-light h-13 px-7 text-base">
                {action}
              </a>
            )}
            {commands && !isWithout("commands") && (
              <Link
                to="/commands"
                data-needs="commands"
                className="group inline-flex min-h-11 items-center gap-2 font-medium text-link"
              >
                {commands}
                <ArrowRight
                  aria-hidden="true"
                  className="size-4 transition-transform group-hover:translate-x-1"
                />
              </Link>
            )}
          </div>
        </div>
        {heroPicture && (
          <div className="relative mt-14 md:mt-20">
            <div aria-hidden="true" className="window-light" />
            <Window>
              <BrandPicture
                urgent
                picture={heroPicture}
                sizes="(min-width: 1248px) 1200px, 94vw"
                className="w-full mask-b-from-85%"
              />
            </Window>
          </div>
        )}
        {facts.length > 0 && (
          <ul className="mt-8 flex flex-wrap gap-x-8 gap-y-2 text-sm text-muted-foreground md:justify-center">
            {facts.map((fact) => (
              <li key={fact} className="flex items-center gap-2.5">
                <span aria-hidden="true" className="size-1.5 rounded-full bg-chart-1" />
                {fact}
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}
