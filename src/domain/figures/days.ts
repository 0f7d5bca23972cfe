import { and, asc, desc, eq, gte, isNotNull, lt } from "drizzle-orm";
import type { By } from "@/core/base/actor";
import { yieldToEventLoop } from "@/core/base/yield";
import { record } from "@/core/database/audit";
import { commit, commitIfFirst, mustHaveChanged, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { authorize } from "../permissions";
import { figureDays, figureSums } from "../schema/figures";
import { startOfDay, dayIn } from "./buckets";
import { figuresOf, firstFact, measures } from "./facts";

type Day = typeof figureDays.$inferSelect;

/** Days that are written together. */
const mostTogether = 16;
/** How often it computes again while facts keep changing; later changes wait for the next time. */
const mostPasses = 1_000;

const { at, mark } = figureDays;

/** Computes the days before today whose facts have changed; resolves to when today began. */
export async function updateFigures(ctx: Ctx): Promise<number> {
  const today = startOfDay(dayIn(ctx.timeZone, ctx.now()), ctx.timeZone);
  await addDays(ctx, today);
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const marked = await ctx.store.db
      .select()
      .from(figureDays)
      .where(and(isNotNull(mark), lt(at, new Date(today))))
      .orderBy(asc(at))
      .limit(mostTogether);
    if (marked.length === 0) break;
    const written = [];
    for (const day of marked) written.push(storeDay(ctx, day, await sumsOf(ctx, day)));
    await Promise.all(written);
  }
  return today;
}

/** When the first day began whose sums are kept. */
export async function firstDay({ store: { db } }: Ctx): Promise<number | null> {
  const [first] = await db
    .select({ at })
    .from(figureDays)
    .where(gte(at, new Date(0)))
    .orderBy(asc(at))
    .limit(1);
  return first?.at.getTime() ?? null;
}

/** Computes all days again. Resolves to how many there are, and on how many of them a sum was wrong. */
export async function rebuildFigures(ctx: Ctx, by: By): Promise<{ days: number; wrong: number }> {
  authorize(by, "figures.rebuild");
  const { db } = ctx.store;
  const kept = async (day: Day) =>
    JSON.stringify(await db.select().from(figureSums).where(eq(figureSums.at, day.at)));
  const today = new Date(await updateFigures(ctx));
  const all = await db.select().from(figureDays).where(lt(at, today));
  let wrong = 0;
  for (const day of all) {
    const before = await kept(day);
    const marked = { ...day, mark: crypto.randomUUID() };
    await commit(ctx.store, [db.update(figureDays).set(marked).where(eq(at, day.at))]);
    await storeDay(ctx, marked, await sumsOf(ctx, marked));
    if ((await kept(day)) !== before) wrong += 1;
  }
  const done = { days: all.length, wrong };
  await commit(ctx.store, [record(ctx, { ...by, action: "figures.rebuilt", subject: "shop", detail: done })]);
  return done;
}

const sumsOf = (ctx: Ctx, day: Day) => figuresOf(ctx, day.at.getTime(), day.until.getTime());

/** Keeps the sums of a day, unless its facts changed meanwhile, or another process kept them. */
const storeDay = ({ store }: Ctx, { at: begins, mark: known }: Day, sums: object[]) =>
  commitIfFirst(store, [
    rawWrite("UPDATE figure_days SET mark = NULL WHERE at = ? AND mark = ?", begins.getTime(), known),
    mustHaveChanged("conflict"),
    rawWrite("DELETE FROM figure_sums WHERE at = ?", begins.getTime()),
    rawWrite(insertSums, begins.getTime(), JSON.stringify(sums)),
  ]);

const columns = ["livemode", "currency", "about", ...measures];
const insertSums = `INSERT INTO figure_sums (at, ${columns.join(", ")}) SELECT ?, ${columns.map((name) => `value ->> '${name}'`).join(", ")} FROM json_each(?)`;

/** For each day, drizzle would take longer to build these than SQLite to run them. */
const rawWrite = (text: string, ...params: unknown[]): Write => ({ toSQL: () => ({ sql: text, params }) });

/** Adds the days that passed, those of earlier facts, and after a change of the time zone all of them. */
async function addDays(ctx: Ctx, today: number): Promise<void> {
  const { db } = ctx.store;
  const isPast = lt(at, new Date(today));
  const [last] = await db.select().from(figureDays).where(isPast).orderBy(desc(at)).limit(1);
  const isOfZone = !last || last.timeZone === ctx.timeZone;
  if (!isOfZone) await commit(ctx.store, [db.delete(figureDays), db.delete(figureSums)]);
  const begins = (await firstDay(ctx)) ?? today;
  const earliest = await firstFact(ctx, begins);
  await commit(ctx.store, [
    ...(earliest === null ? [] : await daysFrom(ctx, earliest, begins)),
    ...(last && isOfZone && last.until.getTime() < today
      ? await daysFrom(ctx, last.until.getTime(), today)
      : []),
  ]);
}

async function daysFrom({ store: { db }, timeZone }: Ctx, from: number, until: number): Promise<Write[]> {
  const writes: Write[] = [];
  let date = Temporal.PlainDate.from(dayIn(timeZone, new Date(from)));
  for (let begins = startOfDay(date, timeZone); begins < until;) {
    const days: Day[] = [];
    while (begins < until && days.length < mostTogether) {
      date = date.add({ days: 1 });
      const ends = startOfDay(date, timeZone);
      days.push({ at: new Date(begins), until: new Date(ends), timeZone, mark: crypto.randomUUID() });
      begins = ends;
    }
    writes.push(db.insert(figureDays).values(days).onConflictDoNothing());
    await yieldToEventLoop();
  }
  return writes;
}
