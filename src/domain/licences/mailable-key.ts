import type { Ctx } from "@/core/context";
import { findBlock } from "../blocks/find";
import type { Licence } from "../schema/licences";
import { type LicenceStatus, statusOf } from "./entitlement";

const standing: LicenceStatus[] = ["unredeemed", "active", "expired"];

/**
 * Whether an email may have a licence's key. A revoked, refunded, disputed or suspended licence, or one of the other
 * Stripe mode, has a key that is worth nothing, and may be in dispute because a thief paid for it.
 */
export const mayMailKey = (ctx: Ctx, licence: Licence): boolean => standing.includes(statusOf(ctx, licence));

/** The same for a key that is mailed once more, which a blocked address gets no more than it can register. */
export const mayMailKeyTo = async (ctx: Ctx, licence: Licence, to: string): Promise<boolean> =>
  mayMailKey(ctx, licence) && (await findBlock(ctx, { email: to })) === null;
