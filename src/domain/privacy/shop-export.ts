import type { By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { authorize } from "../permissions";

type ExportOptions = { by: By; /** Whether it has whole licence keys. */ keys: boolean };

/** Exports the shop with `write`, which resolves to the number of rows of each table, and logs the export. */
export async function exportShop(
  ctx: Ctx,
  { by, keys }: ExportOptions,
  write: () => Promise<Record<string, number>>,
): Promise<Record<string, number>> {
  authorize(by, "shop.export");
  const rows = await write();
  await commit(ctx.store, [
    record(ctx, { ...by, action: "shop.exported", subject: "all", detail: { keys, rows } }),
  ]);
  return rows;
}
