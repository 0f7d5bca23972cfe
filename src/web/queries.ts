import { MutationCache, QueryCache, QueryClient, type QueryState } from "@tanstack/react-query";
import { Refused } from "./api/client";
import { meQuery } from "./api/session";
import type { Memory } from "./memory";

/** What the app remembers of the server's answers, made at the first call. */
export function queriesOf(memory: Memory): QueryClient {
  return (memory.queries ??= createQueries(memory));
}

/** Finds out who is signed in, unless that was asked within the last minute; the memory learns of it. */
export function askWhoIsHere(memory: Memory): void {
  // Whoever shows the account hears of a failure itself.
  queriesOf(memory)
    .query(meQuery)
    .catch(() => {});
}

/** Only the server's own failures are tried again. */
function createQueries(memory: Memory) {
  const onError = (error: unknown) => {
    // The session ended behind our back: whoever guards a page hears of it here.
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
  // A page that was asked for without a session told so when it came.
  if (memory.cameAsVisitor)
    queries.setQueryData(meQuery.queryKey, null, { updatedAt: performance.timeOrigin });
  queries.getQueryCache().subscribe(() => {
    memory.learnSignedIn(signedInBy(queries.getQueryState(meQuery.queryKey)));
  });
  return queries;
}

/** Who can't be asked for counts as a visitor: everything that a visitor may do works. */
function signedInBy(state: QueryState | undefined) {
  if (state?.data !== undefined) return state.data !== null;
  return state?.status === "error" ? false : undefined;
}

// A call made offline fails and says so, instead of waiting in silence for the network.
const offline = { networkMode: "always" } as const;

function isServerFailure(error: unknown) {
  return error instanceof Refused && error.status >= 500;
}
