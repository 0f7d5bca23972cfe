import { queryOptions } from "@tanstack/react-query";
import { showAttention } from "@/contract/operations/desk";
import { minute } from "@/contract/vocabulary/time";
import { callOperation } from "./operations";
import { refetchWhenTouched, pollWhileTouched } from "./presence";

/** What waits for staff; polled twice a minute while somebody uses the page. */
export const attentionQuery = queryOptions({
  queryKey: ["desk", "attention"],
  queryFn: () => callOperation(showAttention, {}),
  staleTime: minute / 2,
  refetchInterval: pollWhileTouched(minute / 2),
  ...refetchWhenTouched,
});
