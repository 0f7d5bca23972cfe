import type { UseQueryResult } from "@tanstack/react-query";

/** Whether a query has neither loaded nor failed yet; a later try of one that failed is no first load. */
export const isFirstLoad = (query: Pick<UseQueryResult, "isPending" | "errorUpdateCount">) =>
  query.isPending && query.errorUpdateCount === 0;
