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
  const shown = useRef({ place, hash });
  useEffect(() => {
    const before = shown.current;
    shown.current = { place, hash };
    const part = place.startsWith("/dashboard") ? hash.slice(1) : "";
    if (before.place !== place) return focusWhenThere(part, wentBack || (part === "" && hash !== ""));
    return before.hash !== hash && part !== "" ? void focusPart(part) : undefined;
  }, [place, hash, wentBack]);
  return null;
}

/** Legal texts open over the landing page. */
const pageOf = (pathname: string) => (legalNameOf(pathname) ? "/" : pathname.replace(/(.)\/$/, "$1"));

/** @param stays whether the browser or the page itself scrolls to where the visitor wants to be */
function focusWhenThere(part: string, stays: boolean) {
  let headed = false;
  const attempt = () => {
    if (!headed) headed = focusFirst(stays);
    return headed && (part === "" || focusPart(part));
  };
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

function focusFirst(stays: boolean): boolean {
  const heading = document.querySelector<HTMLElement>("main h1");
  if (!heading) return false;
  if (!stays) scrollTo({ top: 0, behavior: "instant" });
  if (!isFocusTaken()) focusOn(heading);
  return true;
}

function focusPart(id: string): boolean {
  const part = document.getElementById(id);
  if (!part) return false;
  part.scrollIntoView({ block: "start" });
  focusOn(part);
  return true;
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
