import { partOf } from "../the-brand";

export const { privacy } = partOf("privacy");
