import { colorsFrom } from "./drawn/colors";
import type { Look } from "./drawn/tile";
import type { Brand } from "./read";
import { theBrand } from "./the-brand";

export const lookOf = ({ logo, product, tagline, color }: Brand): Look => ({
  logo,
  name: product,
  tagline,
  colors: colorsFrom(color),
});

/** The look of this shop's brand. */
export const theLook = lookOf(theBrand());
