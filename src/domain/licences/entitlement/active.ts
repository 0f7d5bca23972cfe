import { and, gt, isNotNull, isNull, type Placeholder, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import { preparedRead } from "@/core/database/prepared";
import { forever, type Reach } from "../../levels/covers";
import { licences } from "../../schema/licences";
import { isUnhindered } from "./entitlement";

/** One of an account's active licences, with the offer that it was sold or given under. */
export type ActiveLicence = Reach & { offer: string | null };

/**
 * What of an account's active licences decides what it has: of each level and each number of seats, the one that lasts
 * longest. An index finds each of them, however many licences the account holds. `accountId` is a column of the
 * surrounding query, or a value.
 */
export function activeLicences(
  mode: Pick<Ctx, "livemode">,
  accountId: SQLWrapper,
  now: Date | Placeholder,
): SQL<ActiveLicence[]> {
  const { level, devices, expiresAt, offer, redeemedAt } = licences;
  const first = (what: SQL, where: SQL | undefined, order?: SQL) =>
    sql`(SELECT ${what} FROM ${licences} WHERE ${and(sql`${licences.accountId} = ${accountId}`, where)} ${
      order && sql`ORDER BY ${order}`
    } LIMIT 1)`;
  const rowid = sql`rowid`;
  const lowest = sql`${level}, ${devices}`;
  const next = first(rowid, sql`(${level}, ${devices}) > (step.step_level, step.seats)`, lowest);
  const isOfStep = sql`${level} = step.step_level AND ${devices} = step.seats`;
  const isActive = and(isOfStep, isNotNull(redeemedAt), sql`${isUnhindered(mode)}`.inlineParams());
  const forLife = first(sql`json_array(NULL, ${offer})`, and(isActive, isNull(expiresAt)));
  const longest = first(
    sql`json_array(${expiresAt}, ${offer})`,
    and(isActive, gt(expiresAt, now)),
    sql`${expiresAt} DESC`,
  );
  const found = sql`(
    WITH RECURSIVE step(step_level, seats) AS (
      SELECT ${level}, ${devices} FROM ${licences} WHERE rowid = ${first(rowid, undefined, lowest)}
      UNION ALL
      SELECT ${level}, ${devices} FROM step CROSS JOIN ${licences} WHERE ${licences}.rowid = ${next}
    )
    SELECT json_group_array(json_array(step_level, seats, coalesce(${forLife}, ${longest}))) FROM step)`;
  return found.mapWith(activeIn);
}

/** {@link activeLicences} of one account. */
export async function readActiveLicences(ctx: Ctx, accountId: string): Promise<ActiveLicence[]> {
  const reader = ctx.livemode ? liveReader : testReader;
  const [row] = await reader(ctx.store).all({ accountId, now: ctx.now().getTime() });
  return row?.active ?? [];
}

const readerOf = (mode: Pick<Ctx, "livemode">) =>
  preparedRead((db) => {
    const accountId = sql`${sql.placeholder("accountId")}`;
    const active = activeLicences(mode, accountId, sql.placeholder("now"));
    return db
      .select({ active })
      .from(sql`(SELECT 1)`)
      .prepare();
  });
const [liveReader, testReader] = [readerOf({ livemode: true }), readerOf({ livemode: false })];

type Step = [level: string, devices: number, longest: [end: number | null, offer: string | null] | null];

const activeIn = (text: string): ActiveLicence[] =>
  (JSON.parse(text) as Step[]).flatMap(([level, devices, longest]) =>
    longest ? [{ level, devices, until: longest[0] ?? forever, offer: longest[1] }] : [],
  );
