import type { PagePath } from "./page/titles";

/** The calls that each page makes for an account in any case (`mount.tsx`). */
const always = ["/api/user/me"];

/** Further calls of single pages, as soon as they are drawn. */
const byPage: Partial<Record<PagePath, readonly string[]>> = {
  "/dashboard": [
    "/api/user/dashboard",
    "/api/version/logs",
    "/api/licenses/me",
    "/api/licenses/unused",
    "/api/version/filesizes",
  ],
};

/** The calls of a page that browsers make along with its scripts, instead of after them. */
export const firstCallsOf = (path: PagePath | undefined): readonly string[] => [
  ...always,
  ...((path && byPage[path]) ?? []),
];
