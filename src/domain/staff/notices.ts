import type { Ctx } from "@/core/context";
import type { Handler } from "@/core/outbox";

/** Tells staff what happened to a payment. Without a staff channel the log is where they read it. */
export const staffNotices = (ctx: Ctx): Record<string, Handler> => ({
  "staff.notice": ({ subject }) => {
    ctx.log.info("staff notice", { topic: "staff.notice", job: subject });
    return Promise.resolve([]);
  },
});
