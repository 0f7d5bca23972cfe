import { application } from "@/core/actor";
import type { Ctx } from "@/core/context";
import { findBlock } from "../blocks/find";
import { bind, deactivate, isBound, isSame, type Machine, noteSeen } from "../devices/bind";
import { resetAvailableAt } from "../devices/cooldown";
import { requiredVersion } from "../releases/feed";
import { authorize } from "../permissions";
import type { TokenOwner } from "./token-owner";
import { judgeLicences, type LicenceResult } from "./judge-licences";
import { type OfflineToken, issueOfflineToken } from "./tokens";

/** The answer to the application. Only `VALID` lets it run. */
export type ValidationResult =
  | { code: "VALID"; offlineToken: OfflineToken }
  | Exclude<LicenceResult, { code: "VALID" }>
  /** Staff blocked the device, whichever account has the licence. */
  | { code: "REVOKED"; blocked: true }
  | { code: "NOT_ACTIVATED" }
  | { code: "HWID_MISMATCH"; availableAt: Date | null }
  | { code: "UPDATE_REQUIRED"; minimumVersion: string };

/**
 * Activates the application on a machine: binds the first machine, accepts it again, and refuses another. Binds nothing
 * without a licence, on a blocked machine, or for a version too old to run. `issuer` goes into the token.
 */
export async function activateApplication(
  ctx: Ctx,
  owner: TokenOwner,
  machine: Machine,
  issuer: string,
): Promise<ValidationResult> {
  authorize(application(owner.accountId), "device.activate");
  const result = await mayRun(ctx, owner, machine);
  if (result.code !== "VALID") return result;
  const binding = await bind(ctx, owner, machine);
  if (!binding.bound) return { code: "HWID_MISMATCH", availableAt: binding.availableAt };
  const { accountId } = owner;
  return {
    code: "VALID",
    offlineToken: await issueOfflineToken(ctx, issuer, { ...result, accountId, hwid: machine.hwid }),
  };
}

/** Whether the application may keep running on an activated machine. */
export async function validateApplication(
  ctx: Ctx,
  owner: TokenOwner,
  asked: { hwid: string; version: string },
  issuer: string,
): Promise<ValidationResult> {
  const result = await mayRun(ctx, owner, asked);
  if (result.code !== "VALID") return result;
  const { device } = owner;
  if (device && !isSame(ctx, device, asked.hwid)) return mismatch(ctx, owner);
  if (!device || !isBound(ctx, device, asked.hwid)) return { code: "NOT_ACTIVATED" };
  await noteSeen(ctx, device, asked);
  const { accountId } = owner;
  return {
    code: "VALID",
    offlineToken: await issueOfflineToken(ctx, issuer, { ...result, accountId, hwid: asked.hwid }),
  };
}

/** Deactivates the application on a machine; does nothing if it was not activated. */
export async function deactivateApplication(
  ctx: Ctx,
  owner: TokenOwner,
  hwid: string,
): Promise<Extract<ValidationResult, { code: "NOT_ACTIVATED" | "HWID_MISMATCH" }>> {
  authorize(application(owner.accountId), "device.deactivate");
  const { device } = owner;
  if (device && !isSame(ctx, device, hwid)) return mismatch(ctx, owner);
  if (device && device.deactivatedAt === null) await deactivate(ctx, device);
  return { code: "NOT_ACTIVATED" };
}

async function mayRun(ctx: Ctx, owner: TokenOwner, { hwid, version }: { hwid: string; version: string }) {
  const [blocked, minimumVersion] = await Promise.all([
    findBlock(ctx, { device: hwid }),
    requiredVersion(ctx, version),
  ]);
  if (blocked) return { code: "REVOKED", blocked: true } as const;
  const result = judgeLicences(ctx, owner.licences);
  if (result.code !== "VALID") return result;
  return minimumVersion === null ? result : { code: "UPDATE_REQUIRED" as const, minimumVersion };
}

const mismatch = (ctx: Ctx, owner: TokenOwner) => ({
  code: "HWID_MISMATCH" as const,
  availableAt: resetAvailableAt(owner.deviceResetAt, ctx.now()),
});
