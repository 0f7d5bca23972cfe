import type { UseQueryResult } from "@tanstack/react-query";

/**
 * Whether a query has neither loaded nor failed yet, though the page itself may have brought data with it (`mount.tsx`).
 * A later try of one that failed is no first load.
 */
export const isFirstLoad = (query: Pick<UseQueryResult, "dataUpdatedAt" | "errorUpdateCount">) =>
  query.dataUpdatedAt === 0 && query.errorUpdateCount === 0;
