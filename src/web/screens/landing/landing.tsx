import { Suspense } from "react";
import { useLocation } from "react-router";
import { brand } from "@/brand/brand";
import { late } from "../../parts/late";
import { LostBar } from "../../parts/lost";
import { SiteFooter } from "../../parts/site-footer";
import { legalNameOf } from "../../page/legal-name";
import { Hero } from "./hero";

const Below = late(async () => (await import("./below")).Below, { sent: "below" });
/** Late, because most visitors never read a legal text. */
const LegalDialog = late(async () => (await import("../legal/legal-dialog")).LegalDialog, {
  instead: LostBar,
  sent: "legal",
});

/** The public front page; on the legal routes, with that text in a dialog over it. */
export function Landing() {
  const { pathname } = useLocation();
  return (
    <div className="overflow-x-clip">
      <main>
        <Hero />
        <Suspense>
          <Below />
        </Suspense>
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
