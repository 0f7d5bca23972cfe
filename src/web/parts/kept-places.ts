import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { NavigationType, useLocation, useNavigationType } from "react-router";

/** How far a page, and the list in it, was scrolled. */
type Place = { page: number; list: number };

/** By the key of the history entry. */
type Places = Map<string, Place>;

/** A page that takes longer to be whole again stays where it is. */
const patienceMilliseconds = 3_000;

/**
 * Back leads to where a page was left: browsers scroll before its content is there again, so no further than the page
 * before is long, and never in its lists.
 */
export function KeptPlaces() {
  const location = useLocation();
  const wentBack = useNavigationType() === NavigationType.Pop;
  const [places] = useState<Places>(() => new Map());
  const left = useRef<Place>(undefined);
  useLayoutEffect(() => {
    left.current = undefined;
    // the browser's own entries, for links to a part of the page, have no key
    if (history.state?.idx === undefined) return undefined;
    if (wentBack) left.current = places.get(location.key);
    if (left.current) scrollToPlace(left.current);
    // from here on, what scrolls is this page
    return notePlaces(location.key, places);
  }, [location, wentBack, places]);
  // again for each page, because pages scroll to their start when they are opened
  // oxlint-disable-next-line react/exhaustive-effect-dependencies
  useEffect(() => (left.current ? returnTo(left.current) : undefined), [location]);
  return null;
}

function notePlaces(key: string, places: Places) {
  let leaving = false;
  const note = () => {
    if (!leaving) places.set(key, { page: scrollY, list: listInPage()?.scrollTop ?? 0 });
  };
  // the browser then scrolls this page to the other one's place
  const leave = () => void (leaving = true);
  if (!places.has(key)) note();
  addEventListener("scroll", note, { capture: true, passive: true });
  addEventListener("popstate", leave);
  return () => {
    removeEventListener("scroll", note, { capture: true });
    removeEventListener("popstate", leave);
  };
}

/** Scrolls there again while the page grows, until it is long enough or the visitor scrolls. */
function returnTo(left: Place) {
  if (scrollToPlace(left)) return undefined;
  const inputs = ["wheel", "touchstart", "keydown", "pointerdown"];
  const stop = () => {
    clearTimeout(timer);
    sizes.disconnect();
    for (const input of inputs) removeEventListener(input, stop);
  };
  const sizes = new ResizeObserver(() => scrollToPlace(left) && stop());
  const timer = setTimeout(stop, patienceMilliseconds);
  sizes.observe(document.body);
  for (const input of inputs) addEventListener(input, stop, { passive: true });
  return stop;
}

/** Whether the page is long enough for it. */
function scrollToPlace({ page, list }: Place): boolean {
  const inPage = listInPage();
  inPage?.scrollTo({ top: list, behavior: "instant" });
  scrollTo({ top: page, behavior: "instant" });
  return scrollY > page - 1 && (inPage?.scrollTop ?? 0) > list - 1;
}

const listInPage = () => document.querySelector("main [data-slot=table-container]");
