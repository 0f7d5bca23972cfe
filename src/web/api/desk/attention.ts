import { queryOptions } from "@tanstack/react-query";
import type { Attention } from "@/contract/wire/desk/attention";
import { minute } from "@/contract/vocabulary/time";
import { readDesk } from "./call";
import { isTouched, whileTouched } from "./presence";

/** What waits for staff; asked for again every minute while somebody is there. */
export const attentionQuery = queryOptions({
  queryKey: ["desk", "attention"],
  queryFn: () => readDesk<Attention>("attention"),
  staleTime: minute / 2,
  refetchInterval: whileTouched(minute),
  refetchOnWindowFocus: isTouched,
  refetchOnReconnect: isTouched,
});
