import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { searchDesk } from "@/contract/operations/desk";
import { callOperation } from "./operations";

/** Customers, payments, licences and tickets by what was typed; a body, since no key stands in a URL. */
export const searchQuery = (q: string) =>
  queryOptions({
    queryKey: ["desk", "search", q],
    queryFn: () => callOperation(searchDesk, { q }),
    enabled: q !== "",
    placeholderData: keepPreviousData,
    // what was searched for may be a key
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
