import { useEffect, useRef } from "react";
import { lessMotion } from "../../hooks/use-media";

/**
 * Reveals the page's drawings as they scroll into view: `data-lit` elements below the fold start dimmed and
 * slightly lower (`styles/public.css`). Text is never hidden, and without scripts nothing is.
 */
export function useRevealOnScroll() {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const page = ref.current;
    if (!page || typeof IntersectionObserver === "undefined" || matchMedia(lessMotion).matches)
      return undefined;
    const observer = new IntersectionObserver(lightEntered, { threshold: 0.15 });
    for (const drawing of page.querySelectorAll<HTMLElement>("[data-lit]")) {
      if (drawing.getBoundingClientRect().top < innerHeight) continue;
      drawing.dataset.lit = "waiting";
      observer.observe(drawing);
    }
    return () => observer.disconnect();
  }, []);
  return ref;
}

function lightEntered(entries: IntersectionObserverEntry[], observer: IntersectionObserver) {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting || !(target instanceof HTMLElement)) continue;
    target.dataset.lit = "on";
    observer.unobserve(target);
  }
}
