import { partOf } from "./the-brand";

/** The product's logo as one SVG path in a square box; holes follow the even-odd rule. */
export const { mark } = partOf("mark");
