import { startTransition, StrictMode } from "react";
import { createRoot, hydrateRoot, type Root } from "react-dom/client";
import { offersQuery } from "./api/offers";
import { meQuery } from "./api/session";
import { cameAsVisitor } from "./api/visitor";
import { App } from "./app";
import { offersOfPage } from "./page-offers";
import { prefetchOnIntent } from "./prefetch";
import { createQueryClient } from "./query-client";
import { AppRouter } from "./router";
import { loadScreen } from "./routes";

/** Draws the app into the page, or takes over what the server drew. */
export function mount() {
  const container = document.getElementById("root");
  if (!container) throw new Error("The page has no #root");

  const queries = createQueryClient({ visitor: cameAsVisitor() });
  const offers = offersOfPage();
  // Old enough to be asked for again where they are shown: they may have changed, or depend on the account.
  if (offers) queries.setQueryData(offersQuery.queryKey, offers, { updatedAt: 0 });
  // The account and the screen's code are fetched side by side. Whatever shows them reports a failure itself.
  queries.query(meQuery).catch(() => {});
  loadScreen(location.pathname).catch(() => {});

  const tree = (
    <StrictMode>
      <AppRouter>
        <App queries={queries} />
      </AppRouter>
    </StrictMode>
  );

  if (import.meta.hot) {
    // The root outlives this module, so that an edit keeps the page's state.
    const root: Root = (import.meta.hot.data.root ??= createRoot(container));
    root.render(tree);
  } else if (container.hasChildNodes()) {
    // hydrates in slices, so that a slow phone responds to taps meanwhile
    startTransition(() => void hydrateRoot(container, tree));
  } else {
    createRoot(container).render(tree);
  }
  prefetchOnIntent();
  document.querySelector(".late-notice")?.remove();
}

if (import.meta.hot) import.meta.hot.accept((changed) => changed?.mount());
