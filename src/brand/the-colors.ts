import { colorsFrom } from "./drawn/colors";
import { theBrand } from "./the-brand";

/** What follows from the color of this shop's brand. */
export const theColors = colorsFrom(theBrand().color);
