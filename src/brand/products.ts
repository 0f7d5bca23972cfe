import { partOf } from "./the-brand";

/** The cards of 'Get', in order; the one that sells shows what is sold. */
export const { products } = partOf("products");
