import { z } from "zod";
import { action } from "../base/actions";
import { type Faults, faultBody } from "./faults";
import type { Mailbox } from "./mailbox";

export type MailActions = ReturnType<typeof mailActions>;

/** Actions for a test, or for a person at the page. */
export const mailActions = (mailbox: Mailbox, faults: Faults) => ({
  faults: action(faultBody, (given) => faults.set(given)),
  clear: action(z.object({}), async () => ({ deleted: await mailbox.clear() })),
});
