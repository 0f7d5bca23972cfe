/**
 * Loaded before every screen test: a page's globals from happy-dom, with the runtime's own web classes put back.
 * happy-dom's classes are not the ones that Bun's servers and streams accept. `FormData` stays the page's: only that
 * one reads a form.
 *
 * All files of a worker share one page. What a test changes of it is undone here, because a module's own hooks hold
 * only in the first file that imports it.
 */
import { afterEach, mock, setSystemTime } from "bun:test";
import { GlobalRegistrator } from "@happy-dom/global-registrator";

const kept = [
  "Request",
  "Response",
  "Headers",
  "File",
  "Blob",
  "URL",
  "URLSearchParams",
  "AbortController",
  "AbortSignal",
  "ReadableStream",
  "WritableStream",
  "TransformStream",
  "TextEncoder",
  "TextDecoder",
  "WebSocket",
  "crypto",
  "performance",
  "console",
  "queueMicrotask",
] as const;

if (!GlobalRegistrator.isRegistered) {
  const own = kept.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  GlobalRegistrator.register({
    url: "http://localhost:3000/",
    // Nothing moves by itself during a test; the gallery's test turns motion on.
    settings: { device: { prefersReducedMotion: "reduce" } },
  });
  for (const [name, descriptor] of own) if (descriptor) Object.defineProperty(globalThis, name, descriptor);
  // Between tests a page reaches nobody; `visit` answers for the network.
  globalThis.fetch = Object.assign(() => new Promise<Response>(() => {}), { preconnect: () => {} });
}

// Both read the page's globals when they are imported, and Testing Library adds hooks, which it can't do inside a test.
const [{ cleanup }, { toast }] = await Promise.all([import("@testing-library/react"), import("sonner")]);
const { title } = document;

/** Undoes what a test did to the page. */
afterEach(() => {
  cleanup();
  toast.dismiss();
  mock.restore();
  setSystemTime();
  document.body.replaceChildren();
  for (const element of [document.documentElement, document.body])
    for (const name of element.getAttributeNames()) element.removeAttribute(name);
  document.title = title;
  sessionStorage.clear();
  localStorage.clear();
  history.replaceState(null, "", "/");
});
