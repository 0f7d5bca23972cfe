import { partOf } from "./the-brand";

/** How an account's token gets into the application: the step, and what the application does for it. */
export const { token } = partOf("token");
