import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client, InArgs } from "@libsql/client";
import { day, hour, inSeconds, minute } from "@/contract/vocabulary/time";
import { operator } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { openStore, type Store } from "@/core/database/database";
import { supportFigures } from "@/domain/staff-queries/support-figures";
import { ticketMessages, tickets } from "@/domain/schema/tickets";

const beginning = Date.UTC(2026, 0, 1);
const most = 2_500;
const folder = mkdtempSync(join(tmpdir(), "support-figures-"));
let store: Store;
let ctx: Ctx;

type Row = typeof tickets.$inferInsert & { by: string | null };

/** Every third without an answer, every fourth still open; several were opened in the same moment. */
const row = (at: number): Row => {
  const openedAt = new Date(beginning + Math.floor(at / 3) * 11 * hour);
  const wait = ((at * 7919) % 5_000) * minute;
  const isAnswered = at % 3 > 0;
  return {
    id: `t${at}`,
    number: at + 1,
    topic: ["device", "payment", "other"][at % 7] ?? "other",
    memberName: `member${at}`,
    question: "Why?",
    state: at % 4 === 0 ? "open" : "closed",
    openedAt,
    waitingSince: openedAt,
    firstAnswerAt: isAnswered ? new Date(openedAt.getTime() + wait) : null,
    closedAt: at % 4 === 0 ? null : new Date(openedAt.getTime() + wait + hour),
    stars: at % 5 === 0 ? 1 + (at % 4) : null,
    ratingComment: at % 500 === 0 ? `Comment ${at}` : null,
    by: isAnswered ? `staff${at % 11}` : null,
  };
};
const rows = Array.from({ length: most }, (_, at) => row(at));

beforeAll(async () => {
  store = await openStore({ url: `file:${join(folder, "shop.db")}` });
  ctx = {
    store,
    now: () => new Date(beginning + 500 * day),
    livemode: false,
    currency: "usd",
    timeZone: "UTC",
  } as Ctx;
  for (let from = 0; from < most; from += 500) {
    const some = rows.slice(from, from + 500);
    await store.db.insert(tickets).values(some);
    await store.db.insert(ticketMessages).values(some.flatMap(messagesOf));
  }
});
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

function messagesOf({ id, openedAt, firstAnswerAt, by }: Row): (typeof ticketMessages.$inferInsert)[] {
  const one = (name: string, author: "member" | "staff", authorId: string, at: Date) => ({
    id: `${id}-${name}`,
    ticketId: id,
    author,
    authorId,
    authorName: authorId,
    content: "",
    at,
  });
  const asked = one("asked", "member", "member", openedAt);
  if (!firstAnswerAt || by === null) return [asked];
  const later = new Date(firstAnswerAt.getTime() + minute);
  return [asked, one("answer", "staff", by, firstAnswerAt), one("later", "staff", "another", later)];
}

const year = { from: "2026-01-01", to: "2026-12-31" };
const [from, until] = [beginning, beginning + 365 * day];
const within = (at: Date | null | undefined) => !!at && at.getTime() >= from && at.getTime() < until;

test("support's figures are those of all its tickets, counted one by one", async () => {
  const found = await supportFigures(ctx, operator, year);
  const opened = rows.filter(({ openedAt }) => within(openedAt));
  const closed = rows.filter(({ closedAt }) => within(closedAt));
  expect(opened.length).toBeLessThan(most);
  expect(found.totals).toEqual({ ...workOf(opened), ...closingsOf(closed) });
  for (const topic of ["device", "payment", "other"]) {
    const [own, ended] = [opened, closed].map((all) => all.filter((one) => one.topic === topic));
    expect(found.topics).toContainEqual(
      expect.objectContaining({ ...workOf(own ?? []), ...closingsOf(ended ?? []) }),
    );
  }
  expect(found.topics).toHaveLength(3);
  for (let number = 0; number < 11; number += 1) {
    const own = workOf(opened.filter(({ by }) => by === `staff${number}`));
    const [person] = found.people.filter(({ by }) => by.id === `staff${number}`);
    expect(person).toMatchObject(own);
  }
  expect(found.people).toHaveLength(11);
  expect(found.comments.map(({ comment }) => comment)).toEqual([
    "Comment 2000",
    "Comment 1500",
    "Comment 1000",
    "Comment 500",
    "Comment 0",
  ]);
  expect(found.more).toBe(false);
});

test("a year of tickets is read from indexes, many of them in each row that the database gives", async () => {
  using execute = spyOn(Object.getPrototypeOf(store.client) as Client, "execute");
  await supportFigures(ctx, operator, year);
  const calls = execute.mock.calls.map(
    ([statement]) => statement as unknown as { sql: string; args: InArgs },
  );
  const results = await Promise.all(
    execute.mock.results.map(({ value }) => value as ReturnType<Client["execute"]>),
  );
  execute.mockRestore();
  expect(results.reduce((sum, result) => sum + result.rows.length, 0)).toBeLessThan(30);
  const plans = await Promise.all(
    calls.map(async ({ sql, args }) => {
      const plan = await store.client.execute({ sql: `EXPLAIN QUERY PLAN ${sql}`, args });
      return plan.rows.map((step) => step["detail"] as string);
    }),
  );
  const searches = plans.flat().filter((step) => /^(SEARCH|SCAN) ticket/.test(step));
  expect(searches.length).toBeGreaterThan(2);
  expect(
    searches.filter((step) => !step.includes("COVERING") && !step.includes("tickets_commented")),
  ).toEqual([]);
});

function workOf(own: Row[]) {
  const stars = own.flatMap((one) => one.stars ?? []);
  return {
    opened: own.length,
    first_answer: waitsOf(own.map(({ openedAt, firstAnswerAt }) => [openedAt, firstAnswerAt])),
    stars: {
      count: stars.length,
      average: stars.length === 0 ? null : stars.reduce((sum, one) => sum + one, 0) / stars.length,
    },
  };
}

const closingsOf = (own: Row[]) => ({
  closed: own.length,
  closing: waitsOf(own.map(({ openedAt, closedAt }) => [openedAt, closedAt])),
});

/** By nearest rank. */
function waitsOf(pairs: [Date, Date | null | undefined][]) {
  const waits = pairs.flatMap(([since, at]) => (at ? inSeconds(at.getTime() - since.getTime()) : []));
  const sorted = waits.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
  return sorted.length === 0 ? null : { median: at(0.5), p90: at(0.9) };
}
