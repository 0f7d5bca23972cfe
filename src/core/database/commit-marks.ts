import { lt } from "drizzle-orm";
import { day } from "@/contract/vocabulary/time";
import type { Ctx } from "./context";
import { deleteInPages } from "./delete-in-pages";
import { commitMarks } from "./schema";

/** A database server may still receive a commit this long after we sent it. */
const keptMilliseconds = day;

/** Deletes the marks of commits that the server has long received or we have given up. */
export async function forgetMarks(ctx: Ctx): Promise<void> {
  const oldest = ctx.now().getTime() - keptMilliseconds;
  await deleteInPages(ctx, commitMarks.id, lt(commitMarks.id, Bun.randomUUIDv7("hex", oldest)));
}
