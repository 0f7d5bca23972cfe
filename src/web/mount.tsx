import { startTransition, StrictMode } from "react";
import { createRoot, hydrateRoot, type Root } from "react-dom/client";
import { offersQuery } from "./api/offers";
import { meQuery } from "./api/session";
import { cameAsVisitor } from "./api/visitor";
import { App } from "./app";
import { offersOfPage } from "./page/offers";
import { createQueryClient } from "./query-client";
import { AppRouter } from "./router";
import { loadScreen } from "./routes";
import { followTheme } from "./page/theme";

/** Renders the app into the page, or hydrates the server's markup. */
export function mount() {
  const container = document.getElementById("root");
  if (!container) throw new Error("The page has no #root");

  const queries = createQueryClient({ visitor: cameAsVisitor() });
  const offers = offersOfPage();
  // stale from the start, so that screens fetch them again: they may have changed, or depend on the account
  if (offers) queries.setQueryData(offersQuery.queryKey, offers, { updatedAt: 0 });
  // fetches the account and the screen's code in parallel; the parts that need them report a failure
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
    // built pages have their own script for it
    followTheme();
    // the root outlives this module, so that an edit keeps the page's state
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

/** Fetches a screen's code when the visitor points at, touches or focuses a link to it. */
function prefetchOnIntent() {
  for (const type of ["pointerover", "touchstart", "focusin"]) {
    document.addEventListener(type, prefetch, { passive: true });
  }
}

function prefetch(event: Event) {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  // a failed prefetch does no harm: the click fetches again and reports the failure
  if (link?.origin === location.origin) loadScreen(link.pathname).catch(() => {});
}
