import { queryOptions } from "@tanstack/react-query";
import { api, ask } from "./client";

/** The offers on sale, the default offer first; with a session, also whether each would add anything. */
export const offersQuery = queryOptions({
  queryKey: ["offers"],
  queryFn: async () => (await ask(api.offers.$get({ query: {} }))).data,
});

/** One offer by its id, which may be in no list; none if it isn't on sale. */
export const offerQuery = (id: string) =>
  queryOptions({
    queryKey: [...offersQuery.queryKey, id],
    queryFn: async () => (await ask(api.offers.$get({ query: { id } }))).data,
  });
