import { queryOptions } from "@tanstack/react-query";
import { minute } from "@/contract/vocabulary/time";
import { api, ask } from "./client";

/** How many accounts the shop has. The home page also derives the shop's status from whether the server answers. */
export const dashboardQuery = queryOptions({
  queryKey: ["dashboard"],
  queryFn: async () => (await ask(api.user.dashboard.$get())).data,
  refetchInterval: minute,
});
