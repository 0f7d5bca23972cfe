import { useEffect } from "react";

/** The page and its dialogs have this long to move the focus themselves. */
export const focusGraceMilliseconds = 120;

/**
 * When the element that has focus leaves the page, such as a button that is replaced by its result, moves focus to the
 * card or dialog that it stood in or else to the page's heading: a browser would start again at the top of the page,
 * and a screen reader would say nothing.
 */
export function useKeptFocus() {
  useEffect(() => {
    let around: Element[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onFocus = ({ target }: FocusEvent) => {
      around = target instanceof Element ? ancestorsOf(target) : [];
    };
    // a click outside gives up the focus
    const onPress = ({ target }: PointerEvent) => {
      if (target instanceof Node && !around[0]?.contains(target)) around = [];
    };
    const observer = new MutationObserver(() => {
      if (around[0]?.isConnected !== false) return;
      const left = around;
      around = [];
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (isFocusLost()) focusWithin(left.find((element) => element.isConnected));
      }, focusGraceMilliseconds);
    });
    document.addEventListener("focusin", onFocus);
    document.addEventListener("pointerdown", onPress);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener("focusin", onFocus);
      document.removeEventListener("pointerdown", onPress);
      observer.disconnect();
      clearTimeout(timer);
    };
  }, []);
}

/** The element itself first. */
function ancestorsOf(element: Element): Element[] {
  const all: Element[] = [];
  for (let at: Element | null = element; at; at = at.parentElement) all.push(at);
  return all;
}

const isFocusLost = () => document.activeElement === null || document.activeElement === document.body;

function focusWithin(ancestor: Element | undefined) {
  const named = ancestor?.closest<HTMLElement>(
    "[role=dialog], section[aria-label], section[aria-labelledby]",
  );
  const place = named ?? document.querySelector<HTMLElement>("main h1");
  if (!place) return;
  if (place.tabIndex < 0) place.tabIndex = -1;
  place.focus({ preventScroll: true });
}
