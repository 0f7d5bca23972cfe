import { partOf } from "./the-brand";

/** The headings and words of the landing page's sections; of one that the brand doesn't have, none. */
export const { sections } = partOf("sections");
