import { z } from "zod";
import { email } from "../accounts";
import { reasonBody, withReason } from "./reason";

/** The bodies of `POST /api/desk/customers/:id/VERB`, by verb; each answers with the customer's row. */
export const customerBodies = {
  "reset-device": withReason({
    device: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe("One of the customer's devices; all of them if left out"),
  }),
  "reset-mfa": reasonBody,
  "change-email": withReason({
    email: email.describe("The new address; it takes effect once the customer confirms it"),
    ends_former: z
      .boolean()
      .optional()
      .describe(
        "The present address is somebody else's by now: neither it nor an earlier one takes the account back",
      ),
  }),
  "sign-out": reasonBody,
  link: withReason({ discord_id: z.string().regex(/^\d{17,20}$/, "must be a Discord user's id") }),
  unlink: reasonBody,
  erase: reasonBody,
  grant: withReason({ offer: z.string().min(1).max(64).describe("The offer's id") }),
} as const;

/** The answer to `erase`, after which nothing else is left. */
export const erasedCustomer = z.object({ id: z.string(), erased: z.literal(true) });
