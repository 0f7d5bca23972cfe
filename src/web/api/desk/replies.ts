import { queryOptions } from "@tanstack/react-query";
import { listReplies } from "@/contract/operations/tickets";
import { minute } from "@/contract/vocabulary/time";
import { callOperation } from "./operations";

/** Canned replies of staff, by name. */
export const repliesQuery = queryOptions({
  queryKey: ["desk", "replies"],
  queryFn: () => callOperation(listReplies, {}),
  staleTime: 5 * minute,
});
