/** The script inside every page: it runs before anything is painted, so that nobody sees the other theme first. */
import { followTheme } from "./theme";

followTheme();
