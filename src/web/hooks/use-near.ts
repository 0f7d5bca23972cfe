import { type RefObject, useEffect, useState } from "react";

/** Whether an element has ever been within a screen's height of the visible part of the page. */
export function useNear(ref: RefObject<Element | null>) {
  const [near, setNear] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (!element || near) return undefined;
    if (
      typeof IntersectionObserver === "undefined" ||
      element.getBoundingClientRect().top < 2 * innerHeight
    ) {
      setNear(true);
      return undefined;
    }
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: "100% 0px" },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref, near]);
  return near;
}
