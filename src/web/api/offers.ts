import { queryOptions } from "@tanstack/react-query";
import { api, ask } from "./client";

/** The offers on sale, the default offer first; with a session, also whether each would add anything. */
export const offersQuery = queryOptions({
  queryKey: ["offers"],
  queryFn: async () => (await ask(api.offers.$get({ query: {} }))).data,
});
