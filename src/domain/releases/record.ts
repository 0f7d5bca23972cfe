import type { Application, SiteCustomer, Visitor } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { authorize } from "../permissions";
import type { Build, ReleaseRow } from "./current";

export async function recordDownload(
  ctx: Ctx,
  actor: SiteCustomer | Application | Visitor,
  { release, build }: { release: ReleaseRow; build: Build },
): Promise<void> {
  const computer = "deviceId" in actor ? actor.deviceId : null;
  authorize(actor, "build.download");
  await commit(ctx.store, [
    record(ctx, {
      actor,
      accountId: "accountId" in actor ? actor.accountId : null,
      action: "build.downloaded",
      subject: release.id,
      detail: { version: release.version, platform: build.platform, ...(computer ? { computer } : {}) },
    }),
  ]);
}
