import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { Refused } from "./api/client";
import { meQuery } from "./api/session";

/**
 * What the app remembers of the server's answers. Only the server's own failures are tried again.
 * @param visitor whether the page came with word that nobody is signed in
 */
export function createQueryClient({ visitor = false } = {}): QueryClient {
  const onError = (error: unknown) => {
    // The session ended elsewhere: whatever guards a page learns of it here.
    if (error instanceof Refused && error.code === "unauthenticated")
      queries.setQueryData(meQuery.queryKey, null);
  };
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        ...offline,
        retry: (failures, error) => failures < 2 && isServerFailure(error),
        refetchOnReconnect: true,
        staleTime: 30_000,
      },
      mutations: offline,
    },
  });
  if (visitor) queries.setQueryData(meQuery.queryKey, null, { updatedAt: performance.timeOrigin });
  return queries;
}

// A call made offline fails and says so, instead of waiting in silence for the network.
const offline = { networkMode: "always" } as const;

function isServerFailure(error: unknown) {
  return error instanceof Refused && error.status >= 500;
}
