import { partOf } from "./the-brand";

/** The two panels of 'Features'. */
export const { features } = partOf("features");
