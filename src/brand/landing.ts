import { partOf } from "./the-brand";

/** The public pages' texts, from top to bottom. Sections are named as in the navigation bar. `{price}` is a price in the shop's currency: that of the brand's own offer or, in `from`, the lowest of several. */
export const { landing } = partOf("landing");
