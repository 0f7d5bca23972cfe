import { toWire } from "@/contract/wire/to-wire";
import { and, eq, getTableColumns, gt, inArray, isNull, lte, or, type SQL } from "drizzle-orm";
import type { DeskFilters } from "@/contract/wire/desk/lists";
import { licenceRow, type LicenceRow } from "@/contract/wire/desk/rows";
import type { Ctx } from "@/core/database/context";
import type { Place } from "@/core/database/pages";
import { wireStatus, statusOf } from "../licences/entitlement/entitlement";
import { keyOf } from "../licences/keys/issue";
import { maskKey } from "../licences/keys/keys";
import { levelNameIn } from "../levels/list";
import { accounts } from "../schema/accounts";
import { endIsUncounted } from "../schema/changes";
import { type Licence, licences } from "../schema/licences";
import { payments } from "../schema/payments";
import { everyCombination, inOrderOfIds, ofOffer, type RowFilter } from "./newest";
import { customerOf } from "./payments";

type Filters = DeskFilters<"licences">;

export const licenceList = { at: licences.createdAt, id: licences.id };

export async function licencesWith(ctx: Ctx, filters: Filters): Promise<RowFilter> {
  const { status, offer, customer, payment } = filters;
  if (payment) return { conditions: [], few: fittingPlaces(ctx, await boughtWith(ctx, payment), filters) };
  // the indexes of offers and accounts hold each status in a stretch of its own
  const stored = status ? storedStatuses(ctx)[status] : offer || customer ? everyStored : null;
  const states = stored?.map((one) =>
    and(eq(licences.listedStatus, one), status === "active" ? isRunning(ctx) : undefined),
  ) ?? [undefined];
  const whose = [customer ? eq(licences.accountId, customer) : undefined];
  const conditions = everyCombination(states, whose, [ofOffer(licences.offer, { offer, customer })]);
  if (status !== "expired") return { conditions };
  return { conditions, few: fittingPlaces(ctx, await justExpired(ctx), filters) };
}

const lasting = ["unredeemed", "active", "expired"] as const;
const ended = ["suspended", "disputed", "refunded", "revoked"] as const;
const everyStored = [...lasting.flatMap((one) => [one, `${one} test`, `${one} live`]), ...ended];

/** What `listed_status` holds for each status. */
function storedStatuses({ livemode }: Ctx): Record<LicenceRow["status"], string[]> {
  const [own, other] = livemode ? ["live", "test"] : ["test", "live"];
  const ofMode = (one: string) => [one, `${one} ${own}`];
  return {
    unredeemed: ofMode("unredeemed"),
    active: ofMode("active"),
    expired: ofMode("expired"),
    suspended: ["suspended"],
    disputed: ["disputed"],
    refunded: ["refunded"],
    revoked: ["revoked"],
    other_mode: lasting.map((one) => `${one} ${other}`),
  };
}

/** As a condition: the licence has not ended, whether or not a job has counted that yet. */
const isRunning = (ctx: Ctx): SQL | undefined =>
  or(isNull(licences.expiresAt), gt(licences.expiresAt, ctx.now()));

/** The few licences of one order. */
const boughtWith = ({ store: { db } }: Ctx, payment: string): Promise<Licence[]> =>
  db.select().from(licences).where(eq(licences.paymentId, payment));

/** A job counts the end of a licence within seconds. */
const mostUncounted = 1_000;

const justExpired = (ctx: Ctx): Promise<Licence[]> =>
  ctx.store.db
    .select()
    .from(licences)
    .where(and(endIsUncounted, lte(licences.expiresAt, ctx.now())))
    .limit(mostUncounted);

const fittingPlaces = (ctx: Ctx, some: Licence[], filters: Filters): Place[] =>
  some
    .filter((licence) => matchesFilters(ctx, licence, filters))
    .map(({ createdAt, id }) => ({ at: createdAt, id }));

const matchesFilters = (ctx: Ctx, licence: Licence, { status, offer, customer }: Filters): boolean =>
  (!status || statusOnDesk(ctx, licence) === status) &&
  (!offer || licence.offer === offer) &&
  (!customer || licence.accountId === customer);

/** Licences as the desk shows them, in the order of their ids. */
export async function licenceRows(ctx: Ctx, ids: string[]): Promise<LicenceRow[]> {
  if (ids.length === 0) return [];
  const rows = await ctx.store.db
    .select({
      ...getTableColumns(licences),
      levelName: levelNameIn(licences.level),
      username: accounts.username,
      buyer: payments.email,
    })
    .from(licences)
    .leftJoin(accounts, eq(accounts.id, licences.accountId))
    .leftJoin(payments, eq(payments.id, licences.paymentId))
    .where(inArray(licences.id, ids));
  return inOrderOfIds(ids, rows).map((row) => wireLicence(ctx, row));
}

const wireLicence = (
  ctx: Ctx,
  licence: Licence & { levelName: string; username: string | null; buyer: string | null },
): LicenceRow =>
  toWire(licenceRow, {
    ...licence,
    level: { id: licence.level, name: licence.levelName },
    buyer: licence.buyer || null,
    key: maskKey(keyOf(ctx, licence)),
    status: statusOnDesk(ctx, licence),
    customer: customerOf(licence),
    payment: licence.paymentId,
  });

const statusOnDesk = (ctx: Ctx, licence: Licence): LicenceRow["status"] => wireStatus(statusOf(ctx, licence));
