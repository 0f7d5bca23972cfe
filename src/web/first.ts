/** The script inside every page: it runs before anything is painted, so that nobody sees the other theme first. */
import { followTheme } from "./page/theme";

followTheme();

// what is below the fold of the landing page is laid out after the first paint (styles/public.css)
new PerformanceObserver(() => {
  document.documentElement.dataset.painted = "";
}).observe({ type: "paint", buffered: true });
