import { useEffect, useState } from "react";

/** From here on down the bar gets out of the way. Pixels from the top. */
const threshold = 50;

/** Whether the bar is out of the way: scrolled down past the threshold, until somebody scrolls up. */
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
