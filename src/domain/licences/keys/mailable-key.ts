import type { Ctx } from "@/core/database/context";
import { findBlock } from "../../blocks/find";
import type { Licence } from "../../schema/licences";
import { type LicenceStatus, statusOf } from "../entitlement/entitlement";
import { keyOf } from "./issue";
import { maskKey } from "./keys";

const mailableStatuses: LicenceStatus[] = ["unredeemed", "active", "expired"];

/**
 * Whether an email may contain a licence's key. The key of a revoked, refunded, disputed or suspended licence, or of
 * one in the other Stripe mode, is worthless, and may be disputed because a thief paid for it.
 */
export const mayMailKey = (ctx: Ctx, licence: Licence): boolean =>
  mailableStatuses.includes(statusOf(ctx, licence));

/** The key in a receipt or a gift's email that is sent again: masked once it is redeemed. */
export const keyAgain = (ctx: Ctx, licence: Licence): string =>
  licence.redeemedAt === null ? keyOf(ctx, licence) : maskKey(keyOf(ctx, licence));

/** Whether the shop may mail a key again; a blocked address gets no key that it couldn't register. */
export const mayMailKeyTo = async (ctx: Ctx, licence: Licence, to: string): Promise<boolean> =>
  mayMailKey(ctx, licence) && (await findBlock(ctx, { email: to })) === null;
