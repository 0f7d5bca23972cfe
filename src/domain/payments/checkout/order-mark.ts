import type { Ctx } from "@/core/database/context";
import { sameSecret } from "@/core/secrets/secrets";
import type { OrderMark } from "./order-terms";

/**
 * Proves that this shop wrote an order, whatever its edition. Separate from the seal, whose text only a release that
 * knows the edition can compute. It never changes: an older release recognises by it the orders that it must not sell.
 */
export const orderMark = (ctx: Pick<Ctx, "secrets">, orderId: string): string =>
  ctx.secrets.fingerprint("order-seal", markedText(orderId));

export const markFits = ({ secrets }: Pick<Ctx, "secrets">, { id, mark }: OrderMark): boolean =>
  secrets.fingerprints("order-seal", markedText(id)).some((right) => sameSecret(right, mark));

const markedText = (orderId: string) => JSON.stringify(["order", orderId]);
