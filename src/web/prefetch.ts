import { loadScreen } from "./routes";

/** Fetches a screen's code when the visitor points at, touches or focuses a link to it. */
export function prefetchOnIntent() {
  for (const type of ["pointerover", "touchstart", "focusin"]) {
    document.addEventListener(type, prefetch, { passive: true });
  }
}

function prefetch(event: Event) {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  // a failed prefetch does no harm: the click fetches again and reports the failure
  if (link?.origin === location.origin) loadScreen(link.pathname).catch(() => {});
}
