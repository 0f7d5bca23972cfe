import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { searchDesk } from "@/contract/operations/desk";
import { callOperation } from "./operations";

/** Finds customers, payments, licences and tickets. The text is sent in a body, because a URL must not have a key. */
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
