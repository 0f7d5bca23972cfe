import { partOf } from "./the-brand";

/** The public catalogue, group → name → description, and the texts above and below it. */
export const { catalogue, commands } = partOf("commands");
