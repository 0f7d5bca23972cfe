import { Link } from "react-router";

/** The texts that bind, by the address under which each opens over the landing page. */
export const legalPages = [
  ["/tos", "Terms of Service"],
  ["/privacy-policy", "Privacy Policy"],
  ["/refund-policy", "Refunds Policy"],
] as const;

/** The way to them at the foot of pages that have no site footer. `newTab` keeps what was typed beside them. */
export function LegalLinks({ newTab = false }: { newTab?: boolean }) {
  return (
    <nav
      aria-label="Legal"
      className="flex flex-wrap justify-center gap-x-6 text-xs text-muted-foreground print:hidden"
    >
      {legalPages.map(([path, name]) => (
        <Link
          key={path}
          to={path}
          {...(newTab ? { target: "_blank" } : { state: { fromSite: true } })}
          className="inline-flex min-h-11 items-center underline-offset-4 hover:text-foreground hover:underline"
        >
          {name}
          {newTab && <span className="sr-only"> (opens in a new tab)</span>}
        </Link>
      ))}
    </nav>
  );
}
