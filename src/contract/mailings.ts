import { z } from "zod";

export const unsubscribeQuery = z.object({
  token: z.string().min(1).max(200).describe("From the link in an email"),
  again: z.literal("yes").optional().describe("Wants such emails again"),
});
