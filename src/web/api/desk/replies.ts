import { queryOptions } from "@tanstack/react-query";
import type { SavedReply } from "@/contract/wire/desk/ticket-operations";
import { minute } from "@/contract/vocabulary/time";
import { readDesk } from "./call";

/** What staff answer with often, by name. */
export const repliesQuery = queryOptions({
  queryKey: ["desk", "replies"],
  queryFn: () => readDesk<SavedReply[]>("replies"),
  staleTime: 5 * minute,
});
