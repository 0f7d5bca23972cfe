import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { SearchResult } from "@/contract/wire/desk/search";
import { writeDesk } from "./call";

/** Customers, payments, licences and tickets by what was typed; a body, since no key stands in a URL. */
export const searchQuery = (q: string) =>
  queryOptions({
    queryKey: ["desk", "search", q],
    queryFn: () => writeDesk<SearchResult>("search", { q }),
    enabled: q !== "",
    placeholderData: keepPreviousData,
    // what was searched for may be a key
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
