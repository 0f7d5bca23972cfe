import { lt } from "drizzle-orm";
import { day } from "@/contract/time";
import type { Ctx } from "./context";
import { deleteInPages } from "./delete-in-pages";
import { commitMarks } from "./schema";

/** A mark is needed for as long as its commit may still be on the way. */
const keptMilliseconds = day;

/** Deletes the marks of commits that have long arrived or been given up. */
export async function forgetMarks(ctx: Ctx): Promise<void> {
  const oldest = ctx.now().getTime() - keptMilliseconds;
  await deleteInPages(ctx, commitMarks.id, lt(commitMarks.id, Bun.randomUUIDv7("hex", oldest)));
}
