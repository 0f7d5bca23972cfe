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
/** Of the digits or of the link. */
const proof = {
  email: typedEmail.optional().describe("With `code`"),
  code: code.optional(),
  token: z.string().min(1).max(200).optional().describe("From the mailed link, instead of both"),
};

type Proof = { email?: string | undefined; code?: string | undefined; token?: string | undefined };

function needsEither(typed: Proof, issues: z.RefinementCtx): void {
  if (typed.token !== undefined) return;
  for (const name of ["email", "code"] as const)
    if (typed[name] === undefined) issues.addIssue({ code: "custom", path: [name], message: "is missing" });
}

export const forgotBody = z.object(proof).superRefine(needsEither);
export const forgotResetBody = z
  .object({
    ...proof,
    password: newPassword,
    security_code: z
      .string()
      .max(32)
      .optional()
      .describe("Where a former address takes back an account whose two-factor stays"),
  })
  .superRefine(needsEither);

/** What step two proves: the digits in the browser that asked for them, or the link in any. */
export type RecoveryProof = { email: string; code: string } | { token: string };

export const proofIn = ({ email = "", code: typed = "", token }: Proof): RecoveryProof =>
  token === undefined ? { email, code: typed } : { token };
