import { partOf } from "./the-brand";

/** The cards of 'Why Us', six at most; each key selects its drawing. */
export const { reasons } = partOf("reasons");
