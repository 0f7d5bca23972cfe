import { MutationCache, QueryCache, notifyManager, QueryClient } from "@tanstack/react-query";
import { callFor, Refused } from "./api/client";
import { recheckSession, meQuery, shownAccountId } from "./api/session";

/**
 * The cache of the server's answers. Retries only failures of the server itself.
 * @param visitor whether the server's page said that nobody is signed in
 */
export function createQueryClient({ visitor = false } = {}): QueryClient {
  const onError = (error: unknown, key: readonly unknown[] | undefined) => {
    // who is not on the desk may still be signed in, which `api/desk` finds out
    if (key?.[0] === "desk") return;
    // the session ended elsewhere: pages for signed-in accounts redirect once this is set
    if (error instanceof Refused && error.code === "unauthenticated")
      queries.setQueryData(meQuery.queryKey, null);
  };
  // else a form that is submitted twice in a moment, as by a password manager, doesn't know yet that it was sent
  notifyManager.setScheduler(queueMicrotask);
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: (error, { queryKey }) => onError(error, queryKey) }),
    mutationCache: new MutationCache({
      onError: (error, _typed, _result, { options }) => onError(error, options.mutationKey),
    }),
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
  callFor({ shows: () => shownAccountId(queries), recheckSession: () => recheckSession(queries) });
  if (visitor) queries.setQueryData(meQuery.queryKey, null, { updatedAt: performance.timeOrigin });
  return queries;
}

// Offline, a call fails at once instead of silently waiting for the network.
const offline = { networkMode: "always" } as const;

function isServerFailure(error: unknown) {
  return error instanceof Refused && error.status >= 500;
}
