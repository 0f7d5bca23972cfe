import { and, eq, isNull, type SQL } from "drizzle-orm";
import type { By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { mustHaveChanged, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { sameSecret } from "@/core/secrets/secrets";
import { keepPrefix, sealedKey } from "./issue";
import { maskKey, soldKey } from "./keys";
import { type Licence, licences } from "../../schema/licences";
import { type Payment, payments } from "../../schema/payments";

/**
 * How often each key of an order was replaced, in the order of its licences; null if none was. A key also derives from
 * its version, and Stripe keeps the versions, sealed: a database filled again from Stripe revives the keys in use, not
 * the replaced ones.
 */
type KeyVersions = number[] | null;

/** The text stored at Stripe: `0,1,2.` and the seal. */
export const writtenVersions = (ctx: Ctx, sessionId: string, versions: number[]): string =>
  `${versions.join(",")}.${ctx.secrets.fingerprint("order-seal", sealedText(sessionId, versions))}`;

/** The versions stored at Stripe; null if there are none, or this shop did not write them for this session. */
export function readVersions(ctx: Ctx, sessionId: string, written: string | null): KeyVersions {
  const [list = "", seal = ""] = written?.split(".") ?? [];
  if (!/^\d{1,6}(,\d{1,6}){0,99}$/.test(list)) return null;
  const versions = list.split(",").map(Number);
  const seals = ctx.secrets.fingerprints("order-seal", sealedText(sessionId, versions));
  return seals.some((right) => sameSecret(right, seal)) ? versions : null;
}

const sealedText = (sessionId: string, versions: number[]) =>
  JSON.stringify(["keys", sessionId, ...versions]);

/** The versions after some of an order's keys were replaced. */
export const nextVersions = (versions: KeyVersions, quantity: number, replaced: number[]): number[] =>
  Array.from({ length: quantity }, (_, index) => {
    const version = versions?.[index] ?? 0;
    return replaced.includes(index) ? version + 1 : version;
  });

/** The newer version of each key; null if none is newer than `held`. */
export function newerVersions(held: KeyVersions, other: KeyVersions): KeyVersions {
  if (!other?.some((version, index) => version > (held?.[index] ?? 0))) return null;
  return other.map((version, index) => Math.max(version, held?.[index] ?? 0));
}

type Order = { sessionId: string; keyEditions: KeyVersions };
type Sold = Pick<Licence, "id" | "accountId" | "keyHash" | "paymentIndex">;

/** The key of an order's licence by its version. */
export const versionedKey = (
  ctx: Pick<Ctx, "secrets">,
  { sessionId, keyEditions }: Order,
  index: number,
): string => soldKey(ctx, sessionId, index, keyEditions?.[index] ?? 0);

/** As a condition on orders: no key was replaced since the order was read. */
export const hasSameKeys = ({ keyEditions }: Pick<Payment, "keyEditions">): SQL =>
  keyEditions === null ? isNull(payments.keyEditions) : eq(payments.keyEditions, keyEditions);

/** Gives an order's licence the key of its version; fails as {@link putKey}. */
export const putVersionedKey = (ctx: Ctx, order: Order, licence: Sold, by: By): Write[] =>
  putKey(ctx, licence, versionedKey(ctx, order, licence.paymentIndex), by);

/** Gives a licence another key; fails with `conflict` if the key has changed since it was read. */
export const putKey = (
  ctx: Ctx,
  { id, accountId, keyHash }: Omit<Sold, "paymentIndex">,
  key: string,
  by: By,
): Write[] => [
  ctx.store.db
    .update(licences)
    .set(sealedKey(ctx, id, key))
    .where(and(eq(licences.id, id), eq(licences.keyHash, keyHash))),
  mustHaveChanged("conflict"),
  ...keepPrefix(ctx),
  record(ctx, {
    ...by,
    action: "licence.key_rotated",
    subject: id,
    accountId,
    detail: { key: maskKey(key) },
  }),
];
