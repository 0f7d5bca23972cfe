import { partOf } from "../the-brand";

export const { refunds } = partOf("refunds");
