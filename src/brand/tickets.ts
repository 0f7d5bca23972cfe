import { partOf } from "./the-brand";

/** The support topics, their suggested answers and canned replies. */
export const { support } = partOf("tickets");
