import { Suspense } from "react";
import { useLocation } from "react-router";
import { brand } from "@/brand/brand";
import { SiteFooter } from "../../parts/site-footer";
import { late } from "../../late";
import { legalNameOf } from "../legal/legal-name";
import { Features } from "./features";
import { Gallery } from "./gallery";
import { Get } from "./get";
import { Hero } from "./hero";
import { useLighting } from "./lighting";
import { useSectionScroll } from "./section-scroll";
import { WhyUs } from "./why-us";

/** Its code and texts come late: most visitors never read them. */
const LegalDialog = late(async () => (await import("../legal/legal-dialog")).LegalDialog);

/** The public front page; on the legal routes with that text in a dialog over it. */
export function Landing() {
  const { pathname } = useLocation();
  useSectionScroll();
  const ref = useLighting();
  return (
    <div ref={ref} className="overflow-x-clip">
      <main>
        <Hero />
        <Features />
        <WhyUs />
        <Gallery />
        <Get />
      </main>
      <SiteFooter>
        <p>
          Copyright © {brand.copyright.landing} {brand.shortName}
        </p>
      </SiteFooter>
      {legalNameOf(pathname) && (
        <Suspense>
          <LegalDialog />
        </Suspense>
      )}
    </div>
  );
}
