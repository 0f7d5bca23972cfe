import { pagePathOf } from "../web/pages";

/** The page that a path shows, as the table of pages has it, or what it would have been one of. */
export const siteRoute = (path: string): string =>
  pagePathOf(path) ?? (path.startsWith("/assets/") ? "/assets/*" : "/*");
