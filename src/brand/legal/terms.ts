import { partOf } from "../the-brand";

export const { terms } = partOf("terms");
