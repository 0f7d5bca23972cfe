import { QueryClient } from "@tanstack/react-query";

/** What the browser remembers of the server's answers. Only the server's own failures are tried again. */
export function createQueries() {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: (failures, error) => failures < 2 && isServerFailure(error), staleTime: 30_000 },
    },
  });
}

function isServerFailure(error: unknown) {
  return (
    error instanceof Error && "status" in error && typeof error.status === "number" && error.status >= 500
  );
}
