import type { PagePath } from "./page/titles";

/** What each page asks for an account whatever it then finds (`mount.tsx`). */
const always = ["/api/user/me"];

/** What single pages ask besides, as soon as they are drawn. */
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
