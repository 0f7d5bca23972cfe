import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Me } from "@/contract/accounts";
import { meQuery } from "./session";

/**
 * A call that changes the signed-in account. What `shown` makes of it is seen at once, and everything on
 * the page is asked for again, without anybody waiting for it.
 */
export function useChange<Typed, Said>(
  mutationFn: (typed: Typed) => Promise<Said>,
  shown: (said: Said, typed: Typed) => Partial<Me> = () => ({}),
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (said, typed) => {
      queries.setQueryData(meQuery.queryKey, (me) => me && { ...me, ...shown(said, typed) });
      void queries.invalidateQueries();
    },
  });
}
