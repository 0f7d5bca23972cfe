import type { BlockKind } from "@/contract/vocabulary/kinds";
import type { By } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import type { Account } from "../accounts/sessions/account";
import { addBlock, type Block } from "../blocks/staff-actions";
import { deviceRead, mistyped, parseBlock } from "../blocks/typed";
import { seatsOf } from "../devices/read";
import { authorize, expectConfirmed } from "../permissions";
import { accountNamed } from "./find";

/**
 * Blocks an account's computer, whose hardware ID only its owner can read; `which` is needed if there are several. Refuses
 * with `hwid_not_set`, `device_unknown` or `block_exists`, and with `invalid_field` without it.
 */
export async function blockComputerOf(
  ctx: Ctx,
  { id, username }: Account,
  by: By,
  which?: string,
): Promise<Block> {
  authorize(by, "block.add");
  expectConfirmed(ctx, by, "block.add");
  const { devices } = await seatsOf(ctx, id);
  if (devices.length === 0) throw new Refusal("hwid_not_set");
  if (which === undefined && devices.length > 1) {
    throw wrong("device", `That account has ${devices.length} computers. Say which one by its id.`);
  }
  const device = which === undefined ? devices[0] : devices.find((one) => one.id === which);
  if (!device) throw new Refusal("device_unknown");
  return addBlock(ctx, { kind: "device", ...deviceRead(device, ` of ${username}`) }, by);
}

/** What staff typed: a value of that kind, or for a device its account, and its id if the account has several. */
type BlockInput = {
  kind: BlockKind;
  value?: string | undefined;
  customer?: string | undefined;
  device?: string | undefined;
};

/** Blocks what staff typed. Refuses with `invalid_field`, `not_found`, and as {@link blockComputerOf}. */
export async function addTypedBlock(
  ctx: Ctx,
  { kind, value, customer, device }: BlockInput,
  by: By,
): Promise<Block> {
  authorize(by, "block.add");
  if (customer !== undefined) {
    if (kind !== "device") throw wrong("customer", "Only a device can be blocked by its account.");
    return blockComputerOf(ctx, await accountNamed(ctx, customer), by, device);
  }
  const wanted = parseBlock(ctx, kind, value ?? "");
  if (!wanted) throw wrong("value", mistyped[kind]);
  return addBlock(ctx, wanted, by);
}

const wrong = (field: string, sentence: string) => new Refusal("invalid_field", { field, sentence });
