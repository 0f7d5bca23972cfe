import { partOf } from "../the-brand";

/** The legal texts as their Markdown stands in the brand's folder. */
export const { texts } = partOf("texts");
