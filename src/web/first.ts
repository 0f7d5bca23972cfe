/** The inline script of every page, which runs before the first paint, so that the wrong theme never flashes. */
import { followTheme } from "./page/theme";

followTheme();

// the landing page below the fold is laid out after the first paint (styles/public.css)
new PerformanceObserver(() => {
  document.documentElement.dataset.painted = "";
}).observe({ type: "paint", buffered: true });
