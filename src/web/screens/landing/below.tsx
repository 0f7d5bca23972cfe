import { useEffect, useRef } from "react";
import { NavigationType, useLocation, useNavigationType } from "react-router";
import { lessMotion } from "../../hooks/use-media";
import { Features } from "./features";
import { Gallery } from "./gallery";
import { Get } from "./get";
import { Questions } from "./questions";
import { WhyUs } from "./why-us";

/** The sections below the fold. Their markup is prerendered; their code loads after the first paint. */
export function Below() {
  useSectionScroll();
  return (
    <div ref={useRevealOnScroll()}>
      <Features />
      <WhyUs />
      <Gallery />
      <Get />
      <Questions />
    </div>
  );
}

/**
 * Scrolls to the section named in the URL, which client-side navigation doesn't do. After Back, or when a
 * dialog closes, the browser restores the position.
 */
function useSectionScroll() {
  const location = useLocation();
  const type = useNavigationType();
  useEffect(() => {
    if (location.hash && type !== NavigationType.Pop)
      document.getElementById(location.hash.slice(1))?.scrollIntoView();
    // every click makes a new location, so the same link works twice
  }, [location, type]);
}

/**
 * Reveals the page's drawings as they scroll into view: `data-lit` elements below the fold start dimmed and
 * slightly lower (`styles/public.css`). Text is never hidden, and without scripts nothing is.
 */
function useRevealOnScroll() {
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
