import pLimit, { type LimitFunction } from "p-limit";
import { minute } from "@/contract/vocabulary/time";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import type { Store } from "@/core/database/database";
import { failpoint } from "@/core/log/failpoints";
import { type CheckoutGateway, CheckoutRefused } from "../port/stripe";
import { hasSubscriptions } from "../subscriptions/due-checks";
import { settleSubjects, type Tally } from "./settle-subjects";
import { noteUntold } from "./webhook-watch";
import { eventCursor, keepCursor, keepProgress, newProgress, noReport } from "./progress";

/** Once Stripe is back, two of these make up for a lost webhook. */
export const followEveryMilliseconds = minute;

/**
 * Stripe lists events by the second of their creation, and may list an event after a later one. So the cursor stays
 * behind events younger than this; the next turn reads them again without settling them twice.
 */
const settlingMilliseconds = 30_000;
/** Per turn; the next turn continues there. */
const mostPages = 1_000;

/**
 * `begun`: there was no cursor, or Stripe no longer knows it; the cursor starts now, and the lists must show what came
 * before. `none`: Stripe has no event yet. `refused`: Stripe refuses the list itself, and the others must show it.
 */
export type FollowResult = "followed" | "begun" | "none" | "refused";

/**
 * Settles what Stripe's events since the last turn are about, oldest first. Saves the cursor after each page, so that
 * the next turn continues after a crash or an outage. One turn at a time.
 */
export function followEvents(
  ctx: Ctx,
  gateway: CheckoutGateway,
  tally: Tally = { report: noReport(ctx.now()), seen: new Set() },
): Promise<FollowResult> {
  const memory = memoryOf(ctx);
  return memory.turn(() =>
    follow(ctx, gateway, { tally, memory }).catch((error: unknown) => {
      if (!(error instanceof CheckoutRefused)) throw error;
      ctx.log.warn("a list of Stripe's may not be read", { reason: "events" });
      return "refused" as const;
    }),
  );
}

/** `young`: events already settled, but newer than the cursor. `began`: when this process first read them. */
type Memory = { young: Set<string>; turn: LimitFunction; began: Date };
const memories = new WeakMap<Store, Memory>();

function memoryOf({ store, now }: Ctx): Memory {
  // Stripe's times are whole seconds
  const began = new Date(Math.floor(now().getTime() / 1000) * 1000);
  const memory = memories.get(store) ?? { young: new Set(), turn: pLimit(1), began };
  memories.set(store, memory);
  return memory;
}

type Turn = { tally: Tally; memory: Memory };

async function follow(ctx: Ctx, gateway: CheckoutGateway, { tally, memory }: Turn): Promise<FollowResult> {
  const cursor = await eventCursor(ctx);
  if (!cursor) return begin(ctx, gateway, memory);
  const watching = { subscriptions: await hasSubscriptions(ctx) };
  let { after } = cursor;
  let read = after;
  const young = new Set<string>();
  for (let pages = 0; pages < mostPages; pages += 1) {
    const page = await gateway.eventsAfter(read, watching);
    if (!page) return begin(ctx, gateway, memory);
    const fresh = page.events.filter(({ id }) => !memory.young.has(id));
    await settleSubjects(
      ctx,
      gateway,
      fresh.flatMap(({ subject }) => subject ?? []),
      tally,
    );
    failpoint("sweep.page-settled");
    const settledBy = settledBefore(ctx);
    for (const { id, at } of page.events) {
      if (at > settledBy) young.add(id);
      if (at > settledBy) memory.young.add(id);
    }
    after = page.events.findLast(({ at }) => at <= settledBy)?.id ?? after;
    await commit(ctx.store, [
      keepCursor(ctx, { after, readAt: ctx.now().toISOString() }),
      ...(await noteUntold(
        ctx,
        page.events.map(({ at }) => at),
        memory.began,
      )),
    ]);
    failpoint("sweep.page-noted");
    tally.report.pages += 1;
    read = page.events.at(-1)?.id ?? read;
    if (!page.more) break;
  }
  memory.young = young;
  return "followed";
}

const settledBefore = (ctx: Ctx) => new Date(ctx.now().getTime() - settlingMilliseconds);

/** Reads what came before the cursor from the lists, and from the events back to where the lists were last read. */
async function begin(ctx: Ctx, gateway: CheckoutGateway, { began }: Memory): Promise<FollowResult> {
  const watching = { subscriptions: await hasSubscriptions(ctx) };
  const newest = await gateway.newestEvent(settledBefore(ctx), watching);
  if (newest === null) return "none";
  const lists = await newProgress(ctx, { events: true });
  await commit(ctx.store, [
    keepCursor(ctx, { after: newest.id, readAt: ctx.now().toISOString() }),
    keepProgress(ctx, lists),
    ...(await noteUntold(ctx, [newest.at], began)),
  ]);
  return "begun";
}
