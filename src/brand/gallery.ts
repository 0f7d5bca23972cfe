import { partOf } from "./the-brand";

/** The gallery's pictures, in rotation order. */
export const { gallery } = partOf("gallery");
