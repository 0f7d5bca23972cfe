import { customer, visitor } from "@/core/actor";
import { record } from "@/core/audit";
import { commit } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { authorize } from "../permissions";
import type { Build, ReleaseRow } from "./current";

/** Records that a download began; `accountId` is null for free builds. */
export async function recordDownload(
  ctx: Ctx,
  accountId: string | null,
  { release, build }: { release: ReleaseRow; build: Build },
): Promise<void> {
  const actor = accountId ? customer(accountId) : visitor;
  authorize(actor, "build.download");
  await commit(ctx.store, [
    record(ctx, {
      actor,
      accountId,
      action: "build.downloaded",
      subject: release.id,
      detail: { version: release.version, platform: build.platform },
    }),
  ]);
}
