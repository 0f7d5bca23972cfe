import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Me } from "@/contract/wire/accounts";
import { meQuery } from "./session";

/**
 * A call that changes the signed-in account. `shown` updates the cached account at once; then every query on the page
 * is refetched in the background.
 */
export function useChange<Typed, Answer>(
  mutationFn: (typed: Typed) => Promise<Answer>,
  shown: (answer: Answer, typed: Typed) => Partial<Me> = () => ({}),
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (answer, typed) => {
      queries.setQueryData(meQuery.queryKey, (me) => me && { ...me, ...shown(answer, typed) });
      void queries.invalidateQueries();
    },
  });
}
