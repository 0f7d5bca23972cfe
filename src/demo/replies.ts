import { operator } from "@/core/base/actor";
import { Refusal } from "@/core/base/refusal";
import type { Ctx } from "@/core/database/context";
import { addReply } from "@/domain/tickets/reading/replies";

/** What the demo's support answers often, by name. */
const replies = {
  "Another computer": "I removed the old computer. Please start the application again and sign in.",
  "Key sent again":
    "I've sent your receipt with the key again. Please check your spam folder too. Once you redeem the key, it's also on your License page.",
  "More about it":
    "Could you tell me which system you use and what the application says? A screenshot helps.",
} as const;

/** Saves replies for the demo's staff; those that an interrupted start saved stay as they are. */
export async function saveReplies(ctx: Ctx): Promise<void> {
  for (const [name, text] of Object.entries(replies))
    await addReply(ctx, { name, text }, { actor: operator, reason: "the demo's first start" }).catch(
      (error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
      },
    );
}
