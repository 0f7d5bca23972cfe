import type { Ctx } from "@/core/context";
import { accounts } from "../schema/accounts";

/** How many accounts the shop has. */
export const countAccounts = (ctx: Ctx): Promise<number> => ctx.store.db.$count(accounts);
