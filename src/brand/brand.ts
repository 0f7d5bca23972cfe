import { partOf } from "./the-brand";

/** The names, first offer and links of the product on sale. */
export const { brand } = partOf("brand");
