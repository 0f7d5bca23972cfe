/**
 * Loaded before every screen test: a page's globals from happy-dom, with the runtime's own web classes put back.
 * happy-dom's fetch applies a browser's rules (it hides `set-cookie`, refuses other origins), and its classes are not
 * the ones that Bun's servers and streams accept. `FormData` stays the page's: only that one reads a form.
 */
import { GlobalRegistrator } from "@happy-dom/global-registrator";

const kept = [
  "fetch",
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
}
