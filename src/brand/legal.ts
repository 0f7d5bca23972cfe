import { partOf } from "./the-brand";

/** The legal texts as pages show them, and in `texts`, which pages don't have, as their Markdown stands in the brand's folder. */
export const { terms, privacy, refunds, texts } = partOf("legal");
