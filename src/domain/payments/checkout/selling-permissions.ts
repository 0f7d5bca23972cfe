import type { Ctx } from "@/core/database/context";
import { factOf, keepFact } from "@/core/database/key-values";
import type { Write } from "@/core/database/commit";
import { Refusal } from "@/core/base/refusal";
import type { KeyPermission } from "../port/account-gateway";

const fact = "stripe_key_lacks";

/** The permissions for selling that the key lacked when it was last tried. */
export async function missingSellingPermissions(ctx: Pick<Ctx, "store">): Promise<KeyPermission[]> {
  return JSON.parse((await factOf(ctx, fact)) ?? "[]") as KeyPermission[];
}

/** Refuses with `stripe_permission` while the key lacks a permission for selling. */
export async function expectSellingPermissions(ctx: Ctx): Promise<void> {
  if ((await missingSellingPermissions(ctx)).length > 0) throw new Refusal("stripe_permission");
}

export const storeMissingPermissions = (ctx: Ctx, lacked: KeyPermission[]): Write =>
  keepFact(ctx, fact, JSON.stringify(lacked));
