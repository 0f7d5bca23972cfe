import { useEffect, useLayoutEffect, useRef } from "react";
import { usePendingPage } from "./router";

/** A thin bar while a page is loading, which also marks the pressed link. */
export function LoadingBar() {
  const pending = usePendingPage();
  const pressed = useRef<Element>(null);
  useEffect(() => {
    const note = ({ target }: Event) => {
      pressed.current = target instanceof Element ? target.closest("a") : null;
    };
    addEventListener("click", note, true);
    return () => removeEventListener("click", note, true);
  }, []);
  useLayoutEffect(() => {
    const link = pressed.current;
    if (!pending || !link) return undefined;
    link.setAttribute("data-pressed", "");
    return () => link.removeAttribute("data-pressed");
  }, [pending]);
  return pending && <progress aria-label="Loading the page" className="loading-bar" />;
}
