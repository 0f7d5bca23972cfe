import { queryOptions } from "@tanstack/react-query";
import { showAttention } from "@/contract/operations/desk";
import { minute } from "@/contract/vocabulary/time";
import { callOperation } from "./operations";
import { againWhenTouched, whileTouched } from "./presence";

/** What waits for staff; asked for again every minute while somebody is there. */
export const attentionQuery = queryOptions({
  queryKey: ["desk", "attention"],
  queryFn: () => callOperation(showAttention, {}),
  staleTime: minute / 2,
  refetchInterval: whileTouched(minute),
  ...againWhenTouched,
});
