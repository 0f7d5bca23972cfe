import { type RefObject, useEffect, useState } from "react";

/** Whether any part of an element is on screen; true if the browser can't tell. */
export function useOnScreen(ref: RefObject<Element | null>) {
  const [visible, setVisible] = useState(true);
  useEffect(() => {
    if (!ref.current || typeof IntersectionObserver === "undefined") return undefined;
    const observer = new IntersectionObserver((entries) =>
      setVisible(entries.at(-1)?.isIntersecting ?? true),
    );
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [ref]);
  return visible;
}
