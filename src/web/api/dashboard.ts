import { queryOptions } from "@tanstack/react-query";
import { minute } from "@/contract/time";
import { api, ask } from "./client";

/** How many accounts the shop has. Whether the server answers is what the home page shows as its status. */
export const dashboardQuery = queryOptions({
  queryKey: ["dashboard"],
  queryFn: async () => (await ask(api.user.dashboard.$get())).data,
  refetchInterval: minute,
});
