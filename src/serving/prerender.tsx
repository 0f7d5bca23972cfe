import { StrictMode } from "react";
import { prerender } from "react-dom/static";
import { StaticRouter } from "react-router";
import { App } from "../web/app";
import { offersQuery } from "../web/api/offers";
import { builtOffers } from "../web/page/offers";
import { createQueryClient } from "../web/query-client";

export { notFoundPage, pages, redirects, redirectsWithoutDiscord, siteName } from "../web/pages";

/**
 * The markup that the browser will hydrate at this path; waits for lazy screens.
 * @param several whether the shop sells more than the brand's own offer
 */
export async function render(path: string, several: boolean): Promise<string> {
  const errors: unknown[] = [];
  const queries = createQueryClient();
  queries.setQueryData(offersQuery.queryKey, builtOffers(several));
  const { prelude } = await prerender(
    <StrictMode>
      <StaticRouter location={path}>
        <App queries={queries} />
      </StaticRouter>
    </StrictMode>,
    {
      // otherwise React moves large lazy parts to the end, and puts them in place by inline scripts
      progressiveChunkSize: Number.MAX_SAFE_INTEGER,
      onError: (error) => void errors.push(error),
    },
  );
  // React only leaves out a part that throws, for the browser to try again; an incomplete page must not be kept
  if (errors.length > 0)
    throw new Error(`${path} can't be prerendered: ${String(errors[0])}`, { cause: errors[0] });
  return new Response(prelude).text();
}
