import { gte, lt } from "drizzle-orm";
import { hour } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import { deleteInPages } from "@/core/database/delete-in-pages";
import { deviceRequests } from "../schema/devices";

/** For this long after a code has expired, the application is told that it has. */
const keptMilliseconds = hour;

export const forgetDeviceRequests = (ctx: Ctx): Promise<void> =>
  deleteInPages(
    ctx,
    deviceRequests.id,
    lt(deviceRequests.expiresAt, new Date(ctx.now().getTime() - keptMilliseconds)),
  );

/** Also those that somebody still waits with. */
export const forgetAllRequests = (ctx: Ctx): Promise<void> =>
  deleteInPages(ctx, deviceRequests.id, gte(deviceRequests.expiresAt, new Date(0)));
