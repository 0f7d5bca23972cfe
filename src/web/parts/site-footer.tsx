import { Heart } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { brand } from "@/brand/brand";
import { isWithout } from "../page/without";
import { legalPages } from "./legal-links";
import { Mark } from "./mark";

/** The footer of the public pages: links, and a line of the page's own. */
export function SiteFooter({ children }: { children: ReactNode }) {
  return (
    <footer className="border-t">
      <div className="site-width flex flex-col gap-8 py-12 md:flex-row md:items-end md:justify-between">
        <div className="flex flex-col gap-4">
          <p className="flex items-center gap-2.5 text-lg font-semibold tracking-tight">
            <Mark className="size-6 text-link" />
            {brand.shortName}
            <Heart aria-hidden="true" className="size-4 fill-primary text-primary" />
            <span className="sr-only">, made with love</span>
          </p>
          <div className="text-sm text-muted-foreground">{children}</div>
        </div>
        <nav aria-label="Footer" className="flex flex-wrap gap-x-7 gap-y-1 text-sm text-muted-foreground">
          {!isWithout("commands") && (
            <Link to="/commands" state={{ fromSite: true }} data-needs="commands" className={link}>
              Commands
            </Link>
          )}
          {legalPages.map(([path, name]) => (
            <Link key={path} to={path} state={{ fromSite: true }} className={link}>
              {name}
            </Link>
          ))}
          <a href="/support" className={link}>
            Support
          </a>
        </nav>
      </div>
    </footer>
  );
}

const link = "inline-flex min-h-11 items-center underline-offset-4 hover:text-foreground hover:underline";
