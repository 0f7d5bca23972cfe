import { Link } from "react-router";

/** The legal texts and the paths that open them over the landing page. */
export const legalPages = [
  ["/tos", "Terms of Service"],
  ["/privacy-policy", "Privacy Policy"],
  ["/refund-policy", "Refunds Policy"],
] as const;

/** Links to them at the bottom of pages without the site footer. `newTab` keeps a half-filled form. */
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
          <span>{name}</span>
          {newTab && <span className="sr-only"> (opens in a new tab)</span>}
        </Link>
      ))}
    </nav>
  );
}
