import { useEffect } from "react";
import { NavigationType, useLocation, useNavigationType } from "react-router";

/**
 * Scrolls to the section that the address names: following a link inside the site does not by itself. Back,
 * and a dialog that closes, are the browser's own business.
 */
export function useSectionScroll() {
  const location = useLocation();
  const type = useNavigationType();
  useEffect(() => {
    if (location.hash && type !== NavigationType.Pop)
      document.getElementById(location.hash.slice(1))?.scrollIntoView();
    // The location is a new one with every click, so that the same link works twice.
  }, [location, type]);
}
