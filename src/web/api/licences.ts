import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, ask } from "./client";
import { listQuery } from "./list";
import { browserTimezone } from "./timezone";

/** The account's licences, newest redemption first. */
export const licencesQuery = listQuery("licences", (query) => ask(api.licenses.me.$get({ query })));

/** The keys that the account bought and nobody has redeemed, newest purchase first; empty if they would add nothing. */
export const unusedKeysQuery = queryOptions({
  queryKey: ["unused-keys"],
  queryFn: async () => (await ask(api.licenses.unused.$get())).data,
});

/** The licences' histories, oldest event first. */
export const licenceHistoriesQuery = listQuery("licence-histories", (query) =>
  ask(api.licenses.history.$get({ query })),
);

/** Redeems a key; resolves to its expiry (ISO 8601), or null for never. */
export function useRedeem() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (typed: { key: string; mailed_token?: string }) => {
      const json = { ...typed, timezone: browserTimezone() };
      const answer = await ask(api.licenses.redeem.$post({ json }));
      return answer.data.expiry_date;
    },
    // licences, payments and the account itself (`active_license`) all change
    onSuccess: () => queries.invalidateQueries(),
  });
}
