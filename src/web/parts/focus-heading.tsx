import { useEffect, useRef } from "react";
import { NavigationType, useLocation, useNavigationType } from "react-router";
import { legalNameOf } from "../page/legal-name";

/** A page that takes longer than this leaves the focus where it is. */
const timeoutMilliseconds = 5_000;

/**
 * After each navigation within the site, moves focus to the new page's heading, where a screen reader goes on reading;
 * in the dashboard, to the part of the page that the URL's hash names. Leaves the focus of pages that set it themselves.
 */
export function FocusHeading() {
  const { pathname, hash } = useLocation();
  const wentBack = useNavigationType() === NavigationType.Pop;
  const place = pageOf(pathname);
  const shown = useRef<{ place: string; hash: string }>(undefined);
  useEffect(() => {
    const before = shown.current;
    shown.current = { place, hash };
    const part = place.startsWith("/dashboard") ? hash.slice(1) : "";
    // the browser can't scroll there: the page's content comes later
    if (!before) return part === "" ? undefined : whenThere(() => scrollToPart(part) !== null);
    if (before.place === place)
      return before.hash !== hash && part !== "" ? whenThere(() => focusPart(part)) : undefined;
    let headed = false;
    const stays = wentBack || (part === "" && hash !== "");
    return whenThere(() => {
      if (!headed) headed = focusFirst(stays);
      return headed && (part === "" || focusPart(part));
    });
  }, [place, hash, wentBack]);
  return null;
}

/** Legal texts open over the landing page. */
const pageOf = (pathname: string) => (legalNameOf(pathname) ? "/" : pathname.replace(/(.)\/$/, "$1"));

/** Attempts again as the page grows, until it succeeds. */
function whenThere(attempt: () => boolean) {
  if (attempt()) return undefined;
  const stop = () => {
    clearTimeout(timer);
    observer.disconnect();
  };
  const observer = new MutationObserver(() => attempt() && stop());
  const timer = setTimeout(stop, timeoutMilliseconds);
  observer.observe(document.body, { childList: true, subtree: true });
  return stop;
}

/** @param stays whether the browser or the page itself scrolls to where the visitor wants to be */
function focusFirst(stays: boolean): boolean {
  const heading = document.querySelector<HTMLElement>("main h1");
  if (!heading) return false;
  if (!stays) scrollTo({ top: 0, behavior: "instant" });
  if (!isFocusTaken()) focusOn(heading);
  return true;
}

function focusPart(id: string): boolean {
  const part = scrollToPart(id);
  if (part) focusOn(part);
  return part !== null;
}

function scrollToPart(id: string): HTMLElement | null {
  const part = document.getElementById(id);
  part?.scrollIntoView({ block: "start" });
  return part;
}

/** Whether the page focused one of its own fields, or a dialog is open. */
function isFocusTaken() {
  const page = document.querySelector("main");
  const inside = page !== document.activeElement && page?.contains(document.activeElement) === true;
  return inside || document.querySelector("dialog[open], [role=dialog][data-state=open]") !== null;
}

function focusOn(element: HTMLElement) {
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}
