import { StrictMode } from "react";
import { createRoot, hydrateRoot, type Root } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { App } from "./app";
import { sharePageNonce } from "./nonce";
import { prefetchOnIntent } from "./prefetch";
import { createQueries } from "./queries";

const container = document.getElementById("root");
if (!container) throw new Error("The page has no #root");

sharePageNonce();
prefetchOnIntent();

const tree = (
  <StrictMode>
    <BrowserRouter>
      <App queries={createQueries()} />
    </BrowserRouter>
  </StrictMode>
);

if (import.meta.hot) {
  // The root outlives this module, so that an edit keeps the page's state.
  const root: Root = (import.meta.hot.data.root ??= createRoot(container));
  root.render(tree);
  import.meta.hot.accept();
} else if (container.hasChildNodes()) {
  hydrateRoot(container, tree);
} else {
  createRoot(container).render(tree);
}
