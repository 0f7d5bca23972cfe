import { partOf } from "./the-brand";

/** Questions and answers of the landing page, which search engines get as well. */
export const { questions } = partOf("questions");
