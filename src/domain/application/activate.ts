import type { Ctx } from "@/core/context";
import { blockOf } from "../blocks/blocked";
import { bind, deactivate, isBound, isSame, type Machine, noteSeen } from "../devices/bind";
import { resetAvailableAt } from "../devices/cooldown";
import { requiredVersion } from "../releases/feed";
import type { Holder } from "./holder";
import { judgeLicences, type LicenceVerdict } from "./licence-verdict";
import { type Permit, permit } from "./tokens";

/** The answer to the application. Only `VALID` lets it run. */
export type Verdict =
  | { code: "VALID"; permit: Permit }
  | Exclude<LicenceVerdict, { code: "VALID" }>
  /** Staff blocked the device, whoever's licence it is. */
  | { code: "REVOKED"; blocked: true }
  | { code: "NOT_ACTIVATED" }
  | { code: "HWID_MISMATCH"; availableAt: Date | null }
  | { code: "UPDATE_REQUIRED"; minimumVersion: string };

/**
 * Activates the application on a machine: the first is bound, the same one again succeeds, another is refused.
 * Nothing is bound without a licence, on a blocked machine, or by a version too old to run. `issuer` goes into the token.
 */
export async function activateApplication(
  ctx: Ctx,
  holder: Holder,
  machine: Machine,
  issuer: string,
): Promise<Verdict> {
  const verdict = await mayRun(ctx, holder, machine);
  if (verdict.code !== "VALID") return verdict;
  const binding = await bind(ctx, holder, machine);
  if (!binding.bound) return { code: "HWID_MISMATCH", availableAt: binding.availableAt };
  const { accountId } = holder;
  return { code: "VALID", permit: await permit(ctx, issuer, { ...verdict, accountId, hwid: machine.hwid }) };
}

/** Whether the application may keep running on a machine that was activated. */
export async function validateApplication(
  ctx: Ctx,
  holder: Holder,
  asked: { hwid: string; version: string },
  issuer: string,
): Promise<Verdict> {
  const verdict = await mayRun(ctx, holder, asked);
  if (verdict.code !== "VALID") return verdict;
  const { device } = holder;
  if (device && !isSame(ctx, device, asked.hwid)) return mismatch(ctx, holder);
  if (!device || !isBound(ctx, device, asked.hwid)) return { code: "NOT_ACTIVATED" };
  await noteSeen(ctx, device, asked);
  const { accountId } = holder;
  return { code: "VALID", permit: await permit(ctx, issuer, { ...verdict, accountId, hwid: asked.hwid }) };
}

/** Deactivates the application on a machine; does nothing if it was not activated. */
export async function deactivateApplication(
  ctx: Ctx,
  holder: Holder,
  hwid: string,
): Promise<Extract<Verdict, { code: "NOT_ACTIVATED" | "HWID_MISMATCH" }>> {
  const { device } = holder;
  if (device && !isSame(ctx, device, hwid)) return mismatch(ctx, holder);
  if (device && device.deactivatedAt === null) await deactivate(ctx, device);
  return { code: "NOT_ACTIVATED" };
}

async function mayRun(ctx: Ctx, holder: Holder, { hwid, version }: { hwid: string; version: string }) {
  const [blocked, minimumVersion] = await Promise.all([
    blockOf(ctx, { device: hwid }),
    requiredVersion(ctx, version),
  ]);
  if (blocked) return { code: "REVOKED", blocked: true } as const;
  const verdict = judgeLicences(ctx, holder.licences);
  if (verdict.code !== "VALID") return verdict;
  return minimumVersion === null ? verdict : { code: "UPDATE_REQUIRED" as const, minimumVersion };
}

const mismatch = (ctx: Ctx, holder: Holder) => ({
  code: "HWID_MISMATCH" as const,
  availableAt: resetAvailableAt(holder.deviceResetAt, ctx.now()),
});
