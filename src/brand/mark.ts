import { partOf } from "./the-brand";

/** The product's logo, written anew from its file. */
export const { mark } = partOf("mark");
