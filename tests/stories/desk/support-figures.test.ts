import { expect, test } from "bun:test";
import { day, inSeconds, minute } from "@/contract/vocabulary/time";
import { atDesk } from "../../support/people/desk";
import { openStage } from "../../support/shop/stage";
import { member } from "../accounts/people";

test("support's figures tell how long answers and closings took, by topic and by who answered, and what customers wrote", async () => {
  await using stage = await openStage({ env: { LIMITS: "ticket-message=100/600,ticket=100/600" } });
  const sam = await atDesk(stage, "sam", "support");
  const ada = await member(stage, "ada");
  const open = async (topic: string): Promise<string> =>
    (await ada.post("/api/tickets", { topic, question: "Help" })).body.data.id;
  const waits = [10 * minute, 20 * minute];
  for (const wait of waits) {
    const id = await open("device");
    stage.advance(wait);
    expect((await sam.post(`tickets/${id}/messages`, { text: "Try this" })).status).toBe(200);
    stage.advance(minute);
    await sam.post(`tickets/${id}/close`, { reason: "Solved" });
    if (wait === waits[0]) await ada.post(`/api/tickets/${id}/rating`, { stars: 4, comment: "=Quick" });
  }
  await open("other");

  const vera = await atDesk(stage, "vera", "viewer");
  const { data } = (await vera.get("figures/support")).body;

  expect(data.totals).toMatchObject({ opened: 3, closed: 2, stars: { count: 1, average: 4 } });
  const { median, p90 } = data.totals.first_answer;
  expect(Math.abs(median - inSeconds(waits[0] ?? 0))).toBeLessThan(30);
  expect(Math.abs(p90 - inSeconds(waits[1] ?? 0))).toBeLessThan(30);
  expect(Math.abs(data.totals.closing.p90 - inSeconds(21 * minute))).toBeLessThan(30);
  const sum = (name: "opened" | "closed") =>
    data.months.reduce((all: number, month: Record<typeof name, number>) => all + month[name], 0);
  expect([sum("opened"), sum("closed")]).toEqual([3, 2]);
  expect(data.months[0].month).toBe(data.from);
  expect(data.months.at(-1).month.slice(0, 7)).toBe(data.to.slice(0, 7));
  expect(
    data.topics.map(({ opened, closed }: { opened: number; closed: number }) => [opened, closed]),
  ).toEqual([
    [2, 2],
    [1, 0],
  ]);
  expect(data.people).toMatchObject([{ by: { name: "sam", via: "desk" }, opened: 2, stars: { count: 1 } }]);
  expect(data.comments).toMatchObject([{ stars: 4, comment: "=Quick" }]);
  expect(data.more).toBe(false);

  const from = new Date(stage.ctx.now().getTime() + 2 * day).toISOString().slice(0, 10);
  const later = (await vera.get(`figures/support?from=${from}&to=${from}`)).body.data;
  expect(later.totals).toEqual({
    opened: 0,
    closed: 0,
    first_answer: null,
    closing: null,
    stars: { count: 0, average: null },
  });

  expect((await vera.get("figures/support?offer=premium")).status).toBe(400);
});
