import { useEffect, useState } from "react";

/** The bar hides below this scroll position, in pixels. */
const threshold = 50;

/** Whether the bar is hidden: after scrolling down past the threshold, until scrolling up. */
export function useHiddenBar() {
  const [hidden, setHidden] = useState(false);
  useEffect(() => {
    let last = scrollY;
    const onScroll = () => {
      if (scrollY !== last) setHidden(scrollY > last && scrollY > threshold);
      last = scrollY;
    };
    addEventListener("scroll", onScroll, { passive: true });
    return () => removeEventListener("scroll", onScroll);
  }, []);
  return { hidden, show: () => setHidden(false) };
}
