import { StrictMode } from "react";
import { createRoot, hydrateRoot, type Root } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { cameAsVisitor } from "./api/visitor";
import { App } from "./app";
import { createMemory, findOutWhoIsHere } from "./memory";
import { sharePageNonce } from "./nonce";
import { prefetchOnIntent } from "./prefetch";
import { loadScreen } from "./routes";

const container = document.getElementById("root");
if (!container) throw new Error("The page has no #root");

sharePageNonce();
prefetchOnIntent();

const memory = createMemory(cameAsVisitor());
// Asked for side by side, not one after the other.
if (!memory.cameAsVisitor) void findOutWhoIsHere(memory);
loadScreen(location.pathname).catch(() => {});

const tree = (
  <StrictMode>
    <BrowserRouter>
      <App memory={memory} />
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
