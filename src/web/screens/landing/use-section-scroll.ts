import { useEffect } from "react";
import { NavigationType, useLocation, useNavigationType } from "react-router";

/**
 * Scrolls to the section named in the URL, which client-side navigation doesn't do by itself. After Back, or
 * when a dialog closes, the browser restores the position.
 */
export function useSectionScroll() {
  const location = useLocation();
  const type = useNavigationType();
  useEffect(() => {
    if (location.hash && type !== NavigationType.Pop)
      document.getElementById(location.hash.slice(1))?.scrollIntoView();
    // Every click makes a new location, so the same link works twice.
  }, [location, type]);
}
