import type { Ctx } from "@/core/database/context";
import { hashOf } from "../blocks/hashes";
import { firstDevice } from "../devices/list";
import { findDevice } from "../devices/read";
import type { TokenOwner } from "./token-owner";

/**
 * By what the computer that asks is drawn in a rollout: the same with each token. An account's own token names no
 * computer; without its `hwid_hash`, the account's first one is drawn, or the account.
 */
export async function rolloutBucket(
  ctx: Ctx,
  owner: TokenOwner,
  hwidHash: string | undefined,
): Promise<string> {
  if (owner.device) return owner.device.computerHash;
  if (hwidHash === undefined)
    return (await firstDevice(ctx, owner.accountId))?.computerHash ?? owner.accountId;
  const found = await findDevice(ctx, owner, { hwidHash });
  return found?.device.computerHash ?? hashOf(ctx, { hwidHash });
}
