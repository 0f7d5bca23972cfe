import { queryOptions } from "@tanstack/react-query";
import { api, ask } from "./client";

/** How many accounts the shop has; whether it answers is the shop's status. */
export const dashboardQuery = queryOptions({
  queryKey: ["dashboard"],
  queryFn: async () => (await ask(api.user.dashboard.$get())).data,
  refetchInterval: 60_000,
});
