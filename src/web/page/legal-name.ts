import { pagePathOf, type PagePath } from "./titles";

export type LegalName = "terms" | "privacy" | "refunds";

const names: Partial<Record<PagePath, LegalName>> = {
  "/tos": "terms",
  "/terms-of-service": "terms",
  "/privacy-policy": "privacy",
  "/refund-policy": "refunds",
};

/** The legal text that a path shows over the landing page, if any. */
export function legalNameOf(pathname: string): LegalName | undefined {
  const path = pagePathOf(pathname);
  return path && names[path];
}
