import { z } from "zod";
import { newPassword, typedEmail } from "./accounts";

const code = z.string().min(1).max(32).describe("The six digits from the mail");

export const forgotQuery = z.object({
  email: typedEmail,
  code: z
    .string()
    .refine((text) => text === "", "must be empty: a code is verified with POST")
    .optional()
    .describe("Empty"),
});
export const forgotBody = z.object({ email: typedEmail, code });
export const forgotResetBody = z.object({
  email: typedEmail,
  code,
  password: newPassword,
  security_code: z
    .string()
    .max(32)
    .optional()
    .describe("Where a former address takes back an account whose two-factor stays"),
});
