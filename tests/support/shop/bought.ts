import { eq } from "drizzle-orm";
import { payments } from "@/domain/schema/payments";
import type { Stage } from "./stage";

/** An order that was paid, whose mails are sent. */
export async function bought(stage: Stage, email = "ada@example.com") {
  const { sessionId, key } = await stage.buy(email);
  await stage.shop.worker.drain();
  const [payment] = await stage.ctx.store.db.select().from(payments).where(eq(payments.sessionId, sessionId));
  return { id: payment?.id ?? "", sessionId, key };
}
