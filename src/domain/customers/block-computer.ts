import type { BlockKind } from "@/contract/blocks";
import type { By } from "@/core/actor";
import type { Ctx } from "@/core/context";
import { Refusal } from "@/core/refusal";
import type { Account } from "../accounts/account";
import { addBlock, type Block } from "../blocks/staff-actions";
import { deviceRead, mistyped, readTyped } from "../blocks/typed";
import { firstDevice } from "../devices/list";
import { authorize, expectConfirmed } from "../permissions";
import { accountNamed } from "./find";

/**
 * Blocks the computer that an account is bound to; only its owner can read its hardware ID. Refuses with `hwid_not_set`
 * or `block_exists`.
 */
export async function blockComputerOf(ctx: Ctx, { id, username }: Account, by: By): Promise<Block> {
  authorize(by, "block.add");
  expectConfirmed(ctx, by, "block.add");
  const device = await firstDevice(ctx, id);
  if (!device) throw new Refusal("hwid_not_set");
  return addBlock(ctx, { kind: "device", ...deviceRead(device, ` of ${username}`) }, by);
}

/** What staff typed: a value of that kind, or for a device the account whose computer it is. */
type Typed = { kind: BlockKind; value?: string | undefined; customer?: string | undefined };

/** Blocks what staff typed. Refuses with `invalid_field`, `not_found`, and as {@link blockComputerOf}. */
export async function addTypedBlock(ctx: Ctx, { kind, value, customer }: Typed, by: By): Promise<Block> {
  authorize(by, "block.add");
  if (customer !== undefined) {
    if (kind !== "device") throw wrong("customer", "Only a device can be blocked by its account.");
    return blockComputerOf(ctx, await accountNamed(ctx, customer), by);
  }
  const wanted = readTyped(ctx, kind, value ?? "");
  if (!wanted) throw wrong("value", mistyped[kind]);
  return addBlock(ctx, wanted, by);
}

const wrong = (field: string, sentence: string) => new Refusal("invalid_field", { field, sentence });
